#ifndef CONV3D_BP_FILTER_COMMON_H
#define CONV3D_BP_FILTER_COMMON_H

/// What kernel and host say of a tensor.
namespace ConvCommonApi {

/// Where it lies; Conv3DBackpropFilter takes global memory alone.
enum class TPosition { GM, A1, B1, A2, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC };

enum class ConvFormat { ND, NCHW, NHWC, HWCN, DHWNC, DHWCN, NDHWC, NCDHW, NC1HWC0, NDC1HWC0, FRACTAL_Z_3D };

/// Type of elements, as the host's setters take it.
enum class ConvDtype { FLOAT16, FLOAT32, BF16, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64 };

}  // namespace ConvCommonApi

#endif
