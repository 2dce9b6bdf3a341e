#ifndef CONV3D_BP_FILTER_TILING_H
#define CONV3D_BP_FILTER_TILING_H

#include <string>

#include "conv3d_bp_filter_common.h"
#include "conv3d_bp_filter_tilingdata.h"

/// The host side of Conv3DBackpropFilter: how a kernel cuts its work.
namespace ConvBackpropApi {

using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;

/// Bytes of a core's buffers; at first those of an Atlas A2.
struct PlatformInfo {
  std::int64_t l1Size = 524288, l0ASize = 65536, l0BSize = 65536, l0CSize = 131072;
};

/// Computes a tiling. Sizes of cout, cin and n that two setters give are those of the later call; they are
/// not compared, nor is the output's size with the input's. Pads and strides count elements, a dilation of 1
/// is dense.
class Conv3dBpFilterTiling {
 public:
  Conv3dBpFilterTiling() = default;
  explicit Conv3dBpFilterTiling(const PlatformInfo& platform) : platform_(platform) {}

  void SetWeightShape(std::int64_t cout, std::int64_t cin, std::int64_t d, std::int64_t h, std::int64_t w) {
    cout_ = cout, cin_ = cin, dk_ = d, hk_ = h, wk_ = w;
  }
  void SetInputShape(std::int64_t n, std::int64_t c, std::int64_t d, std::int64_t h, std::int64_t w) {
    batch_ = n, cin_ = c, di_ = d, hi_ = h, wi_ = w;
  }
  void SetGradOutputShape(std::int64_t n, std::int64_t c, std::int64_t d, std::int64_t h, std::int64_t w) {
    batch_ = n, cout_ = c, do_ = d, ho_ = h, wo_ = w;
  }
  void SetWeightType(TPosition, ConvFormat format, ConvDtype) { weight_format_ = format; }
  void SetInputType(TPosition, ConvFormat format, ConvDtype) { input_format_ = format; }
  void SetGradOutputType(TPosition, ConvFormat, ConvDtype) {}
  void SetPadding(std::int64_t front, std::int64_t back, std::int64_t up, std::int64_t down,
                  std::int64_t left, std::int64_t right) {
    front_ = front, back_ = back, up_ = up, down_ = down, left_ = left, right_ = right;
  }
  void SetStride(std::int64_t d, std::int64_t h, std::int64_t w) {
    stride_d_ = d, stride_h_ = h, stride_w_ = w;
  }
  void SetDilation(std::int64_t d, std::int64_t h, std::int64_t w) {
    dilation_d_ = d, dilation_h_ = h, dilation_w_ = w;
  }

  /// 0 with every field filled, or -1 and `tiling` as it was: a size or stride under 1, a negative pad, a
  /// format that the API does not take, a limit of the engine that is exceeded (Kw 32, Kh 511, strides 63,
  /// dilations and pads 255), a field that 32 bits do not hold, or no tiles that fit the buffers.
  std::int64_t GetTiling(Conv3DBackpropFilterTilingData& tiling) const;
  /// Why GetTiling returns -1, naming the field and its value; empty where it returns 0. Not of the
  /// documents.
  std::string Refusal() const;

 private:
  std::string BadField() const;

  PlatformInfo platform_;
  ConvFormat weight_format_ = ConvFormat::FRACTAL_Z_3D, input_format_ = ConvFormat::NDC1HWC0;
  std::int64_t batch_ = -1, cout_ = -1, cin_ = -1, dk_ = -1, hk_ = -1, wk_ = -1;
  std::int64_t di_ = -1, hi_ = -1, wi_ = -1, do_ = -1, ho_ = -1, wo_ = -1;
  std::int64_t front_ = 0, back_ = 0, up_ = 0, down_ = 0, left_ = 0, right_ = 0;
  std::int64_t stride_d_ = 1, stride_h_ = 1, stride_w_ = 1;
  std::int64_t dilation_d_ = 1, dilation_h_ = 1, dilation_w_ = 1;
};

}  // namespace ConvBackpropApi

#endif
