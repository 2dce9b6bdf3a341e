#pragma once
#include "targets/ascend/include/lib/conv_backprop/conv3d_bp_filter_tilingdata.h"

/// A whole gradient by Conv3DBackpropFilter, which computes one (n, do, kd) at a time.
namespace wgradcheck::targets::ascend {

/// How cores share dW: every core adds to all of it atomically, in any order; or each owns a part and adds in
/// one order, so that the same bits come out for any number of cores.
enum class Sharing { atomic, owned };

/// Core `core`'s share of the gradient, added to dw: x and dy are NDC1HWC0, dw is FRACTAL_Z_3D. T is half or
/// bfloat16_t. Throws ConvBackpropApi::Refused.
template <class T>
void add_share(const T* x, const T* dy, float* dw, const Conv3DBackpropFilterTilingData&, int core, int cores,
               Sharing);

/// The gradient: clears dw, padding lanes too, then runs every core's share on a thread. Throws what a share
/// throws.
template <class T>
void gradient(const T* x, const T* dy, float* dw, const Conv3DBackpropFilterTilingData&, int cores, Sharing);

}  // namespace wgradcheck::targets::ascend
