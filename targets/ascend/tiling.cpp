#include <limits>
#include <optional>

#include "spec/fractal.hpp"
#include "targets/ascend/tiles.hpp"

namespace ConvBackpropApi {
namespace {

namespace spec = wgradcheck::spec;
namespace ascend = wgradcheck::targets::ascend;
using Int = std::int64_t;

constexpr Int kMost = std::numeric_limits<std::int32_t>::max();
constexpr Int kCube = spec::kC0;
constexpr const char* kNoTiles = "no tiles of the problem fit the buffers";

/// A field with the least and the most that it may be.
struct Bounds {
  const char* field;
  Int value, least, most = kMost;
};

std::uint32_t narrow(Int value) { return static_cast<std::uint32_t>(value); }

}  // namespace

std::string Conv3dBpFilterTiling::BadField() const {
  // The documents' order. The engine that loads Input has the limits other than those of 32 bits.
  for (const Bounds& b : {Bounds{"padFront", front_, 0},
                          {"padBack", back_, 0},
                          {"padUp", up_, 0, 255},
                          {"padDown", down_, 0, 255},
                          {"padLeft", left_, 0, 255},
                          {"padRight", right_, 0, 255},
                          {"strideD", stride_d_, 1},
                          {"strideH", stride_h_, 1, 63},
                          {"strideW", stride_w_, 1, 63},
                          {"dilationD", dilation_d_, 1},
                          {"dilationH", dilation_h_, 1, 255},
                          {"dilationW", dilation_w_, 1, 255},
                          {"dk", dk_, 1},
                          {"hk", hk_, 1, 511},
                          {"wk", wk_, 1, 32},
                          {"cin", cin_, 1},
                          {"hi", hi_, 1},
                          {"wi", wi_, 1},
                          {"di", di_, 1},
                          {"cout", cout_, 1},
                          {"ho", ho_, 1},
                          {"wo", wo_, 1},
                          {"dout", do_, 1}}) {
    const std::string is = std::string(b.field) + " is " + std::to_string(b.value) + ", ";
    if (b.value < b.least) return is + "under " + std::to_string(b.least);
    if (b.value > b.most) return is + "over " + std::to_string(b.most);
  }
  if (weight_format_ != ConvFormat::FRACTAL_Z_3D) return "the format of Weight is not FRACTAL_Z_3D";
  if (input_format_ != ConvFormat::NDC1HWC0) return "the format of Input is not NDC1HWC0";
  return {};
}

std::string Conv3dBpFilterTiling::Refusal() const {
  if (std::string bad = BadField(); !bad.empty()) return bad;
  Conv3DBackpropFilterTilingData unused;
  return GetTiling(unused) == 0 ? "" : kNoTiles;
}

std::int64_t Conv3dBpFilterTiling::GetTiling(Conv3DBackpropFilterTilingData& tiling) const {
  if (!BadField().empty()) return -1;
  const ascend::TileProblem problem{.m = spec::padded_channels(cout_),
                                    .n = hk_ * wk_ * spec::padded_channels(cin_),
                                    .k = spec::ceil_div(ho_ * wo_, kCube) * kCube,
                                    .wo = wo_,
                                    .wi = wi_,
                                    .kernel_h = hk_,
                                    .kernel_w = wk_,
                                    .stride_h = stride_h_,
                                    .stride_w = stride_w_,
                                    .dilation_h = dilation_h_};
  const auto tiles = ascend::choose_tiles(problem, platform_);
  if (!tiles || tiles->core_m > kMost || tiles->core_n > kMost || tiles->core_k > kMost) return -1;

  TConv3DBpFilterTiling t{};
  t.batch = narrow(batch_), t.cin = narrow(cin_), t.cout = narrow(cout_);
  t.cin1G = narrow(spec::channel_blocks(cin_)), t.cout1G = narrow(spec::channel_blocks(cout_));
  t.dout = narrow(do_), t.ho = narrow(ho_), t.wo = narrow(wo_);
  t.di = narrow(di_), t.hi = narrow(hi_), t.wi = narrow(wi_);
  t.dk = narrow(dk_), t.hk = narrow(hk_), t.wk = narrow(wk_);
  t.group = 1;
  t.strideD = narrow(stride_d_), t.strideH = narrow(stride_h_), t.strideW = narrow(stride_w_);
  t.padFront = narrow(front_), t.padBack = narrow(back_), t.padUp = narrow(up_);
  t.padDown = narrow(down_), t.padLeft = narrow(left_), t.padRight = narrow(right_);
  t.dilationD = narrow(dilation_d_), t.dilationH = narrow(dilation_h_), t.dilationW = narrow(dilation_w_);
  t.channelSize = t.m0 = t.k0 = t.n0 = kCube;
  t.al0Pbuffer = t.bl0Pbuffer = 2;
  t.cl0Pbuffer = narrow(tiles->buffers_c);
  t.al1Pbuffer = narrow(tiles->buffers_a), t.bl1Pbuffer = narrow(tiles->buffers_b);
  t.baseM = narrow(tiles->base_m), t.baseK = narrow(tiles->base_k), t.baseN = narrow(tiles->base_n);
  t.stepM = narrow(tiles->step_m), t.stepN = narrow(tiles->step_n);
  t.stepKa = narrow(tiles->step_ka), t.stepKb = narrow(tiles->step_kb);
  t.iterateOrder = problem.m > problem.n ? 1 : 0;
  t.bl1Bound = narrow(tiles->b_bound);
  t.singleCoreDk = t.singleCoreGroup = 1;
  t.singleCoreBatch = 1;
  t.singleCoreCout = narrow(tiles->core_m);
  t.singleCoreHo = narrow(tiles->core_k / wo_);
  t.singleCoreCin = static_cast<std::uint64_t>(tiles->core_n / (hk_ * wk_));

  tiling.params.totalL1Size = narrow(platform_.l1Size);
  tiling.dwTiling = t;
  tiling.basicBlockTiling = {narrow(tiles->core_m), narrow(tiles->core_n), narrow(tiles->core_k)};
  return 0;
}

}  // namespace ConvBackpropApi
