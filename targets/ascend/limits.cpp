#include "targets/ascend/limits.hpp"

#include <algorithm>

#include "spec/fractal.hpp"
#include "spec/index.hpp"
#include "targets/ascend/include/lib/conv_backprop/conv3d_bp_filter_tiling.h"

namespace wgradcheck::targets::ascend {
namespace {

using Int = std::int64_t;
using Axis = spec::Axis<Int>;

constexpr Int kCube = spec::kC0;

std::string said(const char* field, Int value, const std::string& what) {
  return std::string(field) + " is " + std::to_string(value) + ", " + what;
}

/// The first field of those that a kernel divides or counts by that is 0.
std::string zero_field(const TConv3DBpFilterTiling& t) {
  for (const auto& [field, value] : {std::pair{"cin1G", t.cin1G},
                                     {"cout1G", t.cout1G},
                                     {"ho", t.ho},
                                     {"wo", t.wo},
                                     {"hi", t.hi},
                                     {"wi", t.wi},
                                     {"dk", t.dk},
                                     {"hk", t.hk},
                                     {"wk", t.wk},
                                     {"strideH", t.strideH},
                                     {"strideW", t.strideW},
                                     {"dilationH", t.dilationH},
                                     {"dilationW", t.dilationW},
                                     {"baseM", t.baseM},
                                     {"baseN", t.baseN},
                                     {"baseK", t.baseK},
                                     {"stepM", t.stepM},
                                     {"stepN", t.stepN},
                                     {"stepKa", t.stepKa},
                                     {"stepKb", t.stepKb}})
    if (value == 0) return std::string(field) + " is 0";
  return {};
}

/// Tiles that the cube or L0 cannot hold.
std::string bad_base(const TConv3DBpFilterTiling& t) {
  for (const auto& [field, value] : {std::pair{"baseM", t.baseM}, {"baseN", t.baseN}, {"baseK", t.baseK}})
    if (value % kCube != 0) return said(field, value, "no multiple of 16");
  const ConvBackpropApi::PlatformInfo platform;
  constexpr Int kBytes = 2, kSums = 4;
  const Int a = Int{t.baseM} * t.baseK * kBytes * t.al0Pbuffer,
            b = Int{t.baseN} * t.baseK * kBytes * t.bl0Pbuffer,
            c = Int{t.baseM} * t.baseN * kSums * t.cl0Pbuffer;
  if (a > platform.l0ASize) return said("baseM", t.baseM, "with baseK more than L0A holds");
  if (b > platform.l0BSize) return said("baseN", t.baseN, "with baseK more than L0B holds");
  if (c > platform.l0CSize) return said("baseM", t.baseM, "with baseN more than L0C holds");
  return {};
}

}  // namespace

spec::Shape shape_of(const TConv3DBpFilterTiling& t) {
  return {t.batch,
          1,
          Int{t.cin1G} * kCube,
          Int{t.cout1G} * kCube,
          {t.di, t.dout, t.dk, t.strideD, t.dilationD, t.padFront},
          {t.hi, t.ho, t.hk, t.strideH, t.dilationH, t.padUp},
          {t.wi, t.wo, t.wk, t.strideW, t.dilationW, t.padLeft}};
}

std::string refusal_of(const TConv3DBpFilterTiling& t) {
  if (std::string zero = zero_field(t); !zero.empty()) return zero;
  if (t.group != 1) return said("group", t.group, "not 1");
  if (t.channelSize != kCube) return said("channelSize", t.channelSize, "not 16");
  if (std::string bad = bad_base(t); !bad.empty()) return bad;
  const spec::Shape s = shape_of(t);
  // A step that lies in the padding alone makes the window's unsigned arithmetic wrap.
  for (const auto& [field, pad] : {std::pair{"padUp", t.padUp}, {"padDown", t.padDown}})
    if (pad >= spec::span(s.height))
      return said(field, pad,
                  "not under the dilated kernel's height of " + std::to_string(spec::span(s.height)));
  // Input is read from the row on with which a block's first one begins.
  if (const Int row = spec::input_at<Int>(s.height, t.ho - 1, 0); row >= t.hi)
    return said(
        "ho", t.ho,
        "whose last row begins at row " + std::to_string(row) + " of Input's " + std::to_string(t.hi));
  constexpr Int kWidest = 32767;
  if (t.wi > kWidest) return said("wi", t.wi, "over 32767");
  // The engine that loads Input derives the width of its rows from it.
  if (const Int wo = spec::output_for<Int>(s.width, t.padRight); wo != t.wo)
    return said("wo", t.wo,
                "but wi, wk, padLeft, padRight, strideW and dilationW make it " + std::to_string(wo));
  return {};
}

std::variant<Conv3DBackpropFilterTilingData, std::string> documented_tiling(const spec::Shape& s) {
  if (s.groups != 1) return said("group", s.groups, "not 1");
  const auto after = [](const Axis& a) { return std::max<Int>(0, spec::pad_after(a)); };
  const Axis &d = s.depth, &h = s.height, &w = s.width;
  ConvBackpropApi::Conv3dBpFilterTiling tiling;
  tiling.SetWeightShape(s.out_channels, s.in_channels, d.kernel, h.kernel, w.kernel);
  tiling.SetInputShape(s.batch, s.in_channels, d.input, h.input, w.input);
  tiling.SetGradOutputShape(s.batch, s.out_channels, d.output, h.output, w.output);
  tiling.SetPadding(d.pad_before, after(d), h.pad_before, after(h), w.pad_before, after(w));
  tiling.SetStride(d.stride, h.stride, w.stride);
  tiling.SetDilation(d.dilation, h.dilation, w.dilation);
  Conv3DBackpropFilterTilingData data;
  if (tiling.GetTiling(data) != 0) return tiling.Refusal();
  return data;
}

std::variant<Conv3DBackpropFilterTilingData, std::string> tiling_of(const spec::Shape& s) {
  auto tiling = documented_tiling(s);
  if (const auto* data = std::get_if<Conv3DBackpropFilterTilingData>(&tiling))
    if (std::string why = refusal_of(data->dwTiling); !why.empty()) return why;
  return tiling;
}

Conv3DBackpropFilterTilingData cut_smaller(Conv3DBackpropFilterTilingData data, Int how) {
  TConv3DBpFilterTiling& t = data.dwTiling;
  auto& block = data.basicBlockTiling;
  if (how & 1) {
    block.singleCoreK = t.wo;
    t.singleCoreHo = 1;
  }
  if (how & 2) {
    t.baseM = t.baseN = t.baseK = kCube;
    t.stepM = t.stepN = 2;
    t.stepKa = t.stepKb = 1;
    t.iterateOrder ^= 1U;
    block.singleCoreM = t.singleCoreCout = std::min(t.cout1G, 2U) * kCube;
    block.singleCoreN = t.hk * t.wk * kCube;
    t.singleCoreCin = kCube;
  }
  return data;
}

}  // namespace wgradcheck::targets::ascend
