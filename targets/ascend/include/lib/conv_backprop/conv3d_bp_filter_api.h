#ifndef CONV3D_BP_FILTER_API_H
#define CONV3D_BP_FILTER_API_H

#include "conv3d_bp_filter_engine.h"
#include "kernel_operator.h"

// The kernel side of Conv3DBackpropFilter on the host: what an Ascend C kernel says, compiled and run here.
// Of the product of one (n, do, kd) M are output channels, N is (c1, kh, kw, c0) and K is (ho, wo). Input and
// GradOutput are NDC1HWC0, GradWeight is FRACTAL_Z_3D, each with 16 lanes. Where a device would silently go
// wrong the model throws ConvBackpropApi::Refused. Valid from C++17 on.
namespace ConvBackpropApi {

/// A tensor's position, format and type.
template <TPosition POSITION, ConvFormat FORMAT, typename T>
struct ConvType {
  constexpr static TPosition pos = POSITION;
  constexpr static ConvFormat format = FORMAT;
  using Type = T;
};

namespace host {
template <class A, class B>
constexpr bool same = false;
template <class A>
constexpr bool same<A, A> = true;
template <class A, ConvFormat FORMAT>
constexpr bool in_format = A::pos == TPosition::GM && A::format == FORMAT;
}  // namespace host

template <class A, class B, class C, class D>
struct ConvBpContext {
  using SrcT = typename A::Type;
  using DstT = typename D::Type;
  static_assert(host::same<SrcT, half> || host::same<SrcT, bfloat16_t>,
                "Conv3DBackpropFilter: Input must be half or bfloat16_t");
  static_assert(host::same<SrcT, typename C::Type>,
                "Conv3DBackpropFilter: GradOutput must have the type of Input");
  static_assert(host::same<typename B::Type, std::int32_t>,
                "Conv3DBackpropFilter: WeightSize must be int32_t");
  static_assert(host::same<DstT, float>, "Conv3DBackpropFilter: GradWeight must be float");
  static_assert(host::in_format<A, ConvFormat::NDC1HWC0>,
                "Conv3DBackpropFilter: Input must be NDC1HWC0 in GM");
  static_assert(host::in_format<B, ConvFormat::ND>, "Conv3DBackpropFilter: WeightSize must be ND in GM");
  static_assert(host::in_format<C, ConvFormat::NDC1HWC0>,
                "Conv3DBackpropFilter: GradOutput must be NDC1HWC0 in GM");
  static_assert(host::in_format<D, ConvFormat::FRACTAL_Z_3D>,
                "Conv3DBackpropFilter: GradWeight must be FRACTAL_Z_3D in GM");

  bool isFirstIter_ = false;  ///< set by Init, to be set to true again before each further block
};

template <class A, class B, class C, class D>
struct Conv3DBpFilterCfg : public ConvBpContext<A, B, C, D> {};

/// Named in the documents; all of it is in host::Engine here.
template <typename Intf, class Config_>
struct Conv3DBpFilterImpl {};

template <class Config_, template <typename, class> class Impl>
class Conv3DBpFilterIntf {
 public:
  using SrcT = typename Config_::SrcT;

  Config_ ctx;

  void Init(const TConv3DBpFilterTiling* tiling) {
    engine_.init(tiling);
    ctx.isFirstIter_ = true;
  }
  /// Input from the block's first channel and row on: row max(hoStart * strideH - padUp, 0).
  void SetInput(const AscendC::GlobalTensor<SrcT>& input) { engine_.set_input(input.GetPhyAddr()); }
  /// GradOutput from the block's first channel and row on: row hoStart.
  void SetGradOutput(const AscendC::GlobalTensor<SrcT>& grad) { engine_.set_grad(grad.GetPhyAddr()); }
  /// M a multiple of 16, N one of 16 * Kh * Kw, K one of Wo.
  void SetSingleShape(std::uint64_t M, std::uint64_t N, std::uint64_t K) { engine_.set_shape(M, N, K); }
  /// The block's first output row. It tells padding, and moves neither pointer.
  void SetStartPosition(std::int32_t hoStart) { engine_.set_start(hoStart); }
  /// Sums the next tile over all of K from zero; false once the block has no more.
  template <bool sync = true>
  bool Iterate(bool /*enPartialSum*/ = false) {
    return engine_.iterate(ctx.isFirstIter_);
  }
  /// Moves the tile to the block that begins at `output`: added where enAtomic is 1, else stored; with
  /// enSequentialWrite as [N/16][baseM][16] at `output` itself, rows behind the last one undefined.
  template <bool sync = true>
  void GetTensorC(const AscendC::GlobalTensor<float>& output, std::uint8_t enAtomic = 1,
                  bool enSequentialWrite = false) {
    engine_.get(output.GetPhyAddr(), enAtomic == 1, enSequentialWrite);
  }
  void End() { engine_.end(); }

 private:
  host::Engine engine_{host::same<SrcT, half> ? host::Element::half : host::Element::bfloat16};
};

template <class INPUT_TYPE, class WEIGHT_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_WEIGHT_TYPE>
using Conv3DBackpropFilter =
    Conv3DBpFilterIntf<Conv3DBpFilterCfg<INPUT_TYPE, WEIGHT_TYPE, GRAD_OUTPUT_TYPE, GRAD_WEIGHT_TYPE>,
                       Conv3DBpFilterImpl>;

}  // namespace ConvBackpropApi

#endif
