#include "check/search/draw_shape.hpp"

#include <algorithm>
#include <array>

#include "spec/fractal.hpp"

namespace wgradcheck::check {
namespace {

using Axis = spec::Axis<std::int64_t>;

/// Channel counts of a group: mostly small, at times around the width of a vector.
std::int64_t channels(Draw& draw, int size) {
  constexpr std::array kVectorish{7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 64, 65, 128, 130};
  if (draw.chance(size / 4)) return draw.one_of(kVectorish);
  return draw.between(1, 1 + size / 12);
}

Axis axis(Draw& draw, int size) {
  if (draw.chance(8)) return spec::kNoAxis;
  Axis a{};
  a.kernel = draw.between(1, draw.chance(80) ? 3 : 2 + size / 16);
  a.stride = draw.chance(55) ? 1 : draw.between(1, 4);
  a.dilation = draw.chance(60) ? 1 : draw.between(1, 4);
  a.output = draw.between(1, 2 + size / 12);
  const std::int64_t span = spec::span(a);
  a.pad_before = draw.chance(45) ? 0 : draw.between(0, draw.chance(85) ? span - 1 : span + 2);
  // What lies behind the last tap: padding, nothing, or rows that no tap reads.
  const std::int64_t after =
      draw.chance(50) ? draw.between(1 - a.stride, 0) : draw.between(1 - a.stride, span);
  a.input = std::max<std::int64_t>(1, (a.output - 1) * a.stride + span - a.pad_before - after);
  return a;
}

Axis pointwise_axis(Draw& draw, int size) {
  const std::int64_t extent = draw.between(1, 3 + size / 12);
  return {extent, extent, 1, 1, 1, 0};
}

/// The axis of a 1x1 filter that skips pixels, as networks halve their planes.
Axis skipping_axis(Draw& draw, int size) {
  Axis a = pointwise_axis(draw, size);
  a.stride = draw.between(1, 3);
  a.input = (a.output - 1) * a.stride + draw.between(1, a.stride);
  return a;
}

/// Breaks one condition of the 1x1 path.
void miss_pointwise(Draw& draw, spec::Shape& s) {
  Axis& a = draw.chance(50) ? s.height : s.width;
  switch (draw.between(0, 3)) {
    case 0:
      a.pad_before = draw.between(1, 2);
      break;
    case 1:
      a.stride = draw.between(2, 3);
      break;
    case 2:
      a.input += draw.between(1, 2);
      break;
    default:
      // As many pixels in x as in dy, in rows of another length.
      std::swap(s.height.input, s.width.input);
  }
}

/// The sizes from which on there are layers as networks have them: 3 of 101.
constexpr int kNetworkSize = 98;

/// The structural classes take turns; each leaves everything else to chance.
enum class Kind { dense, pointwise, depthwise, multiplier, grouped, skipping };
constexpr std::array kKinds{Kind::dense,     Kind::dense,      Kind::pointwise,
                            Kind::depthwise, Kind::multiplier, Kind::grouped};
constexpr std::array kAscendKinds{Kind::dense, Kind::dense, Kind::pointwise, Kind::skipping};
constexpr std::array kHostKinds{Kind::dense,      Kind::dense,   Kind::pointwise, Kind::depthwise,
                                Kind::multiplier, Kind::grouped, Kind::skipping};

/// One extent beyond what 15 or 16 bits count, everything else as small as can be.
void make_vast(Draw& draw, spec::Shape& s) {
  constexpr std::array kBeyond{1 << 15, 1 << 16};
  const std::int64_t extent = draw.one_of(kBeyond) + draw.between(1, 40);
  s = {draw.between(1, 2), 1, draw.between(1, 2), draw.between(1, 2), spec::kNoAxis, spec::kNoAxis,
       spec::kNoAxis};
  switch (draw.between(0, 5)) {
    case 0:
      s.batch = extent;
      break;
    case 1:
      s.in_channels = extent;
      break;
    case 2:
      s.out_channels = extent;
      break;
    case 3:
      s.groups = s.in_channels = s.out_channels = extent;
      break;
    case 4:
      s.height = {
          .input = extent, .output = extent, .kernel = 1, .stride = 1, .dilation = 1, .pad_before = 0};
      break;
    default:
      s.width = {
          .input = extent + 2, .output = extent, .kernel = 3, .stride = 1, .dilation = 1, .pad_before = 0};
  }
}

/// One extent far beyond the usual ones, everything else small: main loops of wide vectors, counters,
/// batches.
void make_long(Draw& draw, const Abi& abi, spec::Shape& s) {
  if (!abi.ascend && draw.chance(8)) return make_vast(draw, s);
  const auto few = [&s](std::int64_t channels) { return std::min<std::int64_t>(channels / s.groups, 2); };
  s.in_channels = s.groups * few(s.in_channels);
  s.out_channels = s.groups * few(s.out_channels);
  if (draw.chance(30)) {
    s.batch = draw.chance(80) ? draw.between(6, 40) : draw.between(41, 300);
    return;
  }
  const bool is_deep = s.depth != spec::kNoAxis && draw.chance(30);
  Axis& a = is_deep ? s.depth : draw.chance(50) ? s.height : s.width;
  const std::int64_t more = draw.between(20, draw.chance(80) ? 150 : draw.chance(80) ? 700 : 2600);
  a.output += more;
  a.input += more * a.stride;
}

/// An axis as networks have them, of a plane of some size.
Axis network_axis(Draw& draw, std::int64_t extent, std::int64_t kernel) {
  constexpr std::array kStrides{1, 1, 1, 1, 2, 2, 3, 5}, kDilations{1, 1, 1, 1, 2, 4, 6, 12};
  Axis a{.input = 1,
         .output = extent,
         .kernel = kernel,
         .stride = draw.one_of(kStrides),
         .dilation = 1,
         .pad_before = 0};
  if (kernel > 1 && kernel < 7) a.dilation = draw.one_of(kDilations);
  a.pad_before = draw.chance(70) ? (spec::span(a) - 1) / 2 : 0;
  const std::int64_t after = draw.chance(70) ? a.pad_before : draw.between(1 - a.stride, 0);
  a.input = std::max<std::int64_t>(1, (a.output - 1) * a.stride + spec::span(a) - a.pad_before - after);
  return a;
}

/// A layer as networks have them: batch, planes, channels and filter all of middle size, so that blocks are
/// full on several axes at once.
spec::Shape network_layer(Draw& draw) {
  constexpr std::array kPlanes{7, 8, 13, 14, 16, 24, 28, 31, 32, 33, 56, 63};
  constexpr std::array kBatches{1, 1, 2, 3, 4, 8, 16, 32, 64};
  constexpr std::array kChannels{3, 8, 16, 24, 32, 33, 48, 64, 96, 128, 160, 200, 256, 384};
  constexpr std::array kFilters{1, 1, 3, 3, 3, 3, 5, 7, 9, 11};
  constexpr std::int64_t kMostProducts = 6 << 20;  // some milliseconds, however plain the kernel
  const auto plane = [&] {
    return draw.chance(50) ? draw.one_of(kPlanes) : static_cast<int>(draw.between(7, 64));
  };
  const int filter = draw.one_of(kFilters), height = plane();
  spec::Shape s{
      .batch = draw.one_of(kBatches),
      .groups = 1,
      .in_channels = draw.one_of(kChannels),
      .out_channels = draw.one_of(kChannels),
      .depth = spec::kNoAxis,
      .height = network_axis(draw, height, filter),
      .width = network_axis(draw, draw.chance(60) ? height : plane(), draw.chance(85) ? filter : 1)};
  if (draw.chance(25)) s.groups = s.out_channels = s.in_channels;
  const bool thins_first = draw.chance(50);
  while (spec::products(s) > kMostProducts) {
    std::int64_t& channels = s.in_channels > s.out_channels ? s.in_channels : s.out_channels;
    if (s.groups > 1 && (thins_first || s.batch == 1))
      s.groups = s.in_channels = s.out_channels = std::max<std::int64_t>(1, s.groups / 2);
    else if (s.groups == 1 && channels > 1 && (thins_first || s.batch == 1))
      channels /= 2;
    else
      s.batch = std::max<std::int64_t>(1, s.batch / 2);
  }
  return s;
}

}  // namespace

spec::Shape draw_shape(Draw& draw, int size, const Abi& abi) {
  // Few, since each takes as long as hundreds of the others.
  if (size >= kNetworkSize && !abi.ascend && draw.chance(50)) return network_layer(draw);
  const Kind kind = abi.ascend ? draw.one_of(kAscendKinds)
                    : abi.host ? draw.one_of(kHostKinds)
                               : draw.one_of(kKinds);
  const bool dense = kind == Kind::dense || kind == Kind::pointwise || kind == Kind::skipping;
  const auto next_axis = [&](int extent) {
    return kind == Kind::pointwise  ? pointwise_axis(draw, extent)
           : kind == Kind::skipping ? skipping_axis(draw, extent)
                                    : axis(draw, extent);
  };
  spec::Shape s{};
  s.batch = draw.between(1, 1 + size / 25);
  s.depth = abi.host && draw.chance(abi.ascend ? 60 : 25) ? next_axis(size / 2) : spec::kNoAxis;
  s.height = next_axis(size);
  s.width = next_axis(size);
  if (kind == Kind::pointwise && draw.chance(25)) miss_pointwise(draw, s);
  s.groups = dense ? 1 : draw.between(2, 3 + size / 16);
  std::int64_t ins = 1, outs = 1;
  if (kind == Kind::multiplier) outs = draw.between(2, 4);
  if (kind == Kind::grouped) ins = draw.between(2, 3 + size / 25), outs = draw.between(1, 3 + size / 25);
  if (dense) ins = channels(draw, size), outs = channels(draw, size);
  if (kind == Kind::depthwise) {
    if (draw.chance(size / 4)) s.groups = channels(draw, size);
    // The document's depthwise path knows no dilation; dilated ones remain as cases of the general path.
    if (draw.chance(70)) s.height.dilation = s.width.dilation = 1;
  }
  s.in_channels = s.groups * ins;
  s.out_channels = s.groups * outs;
  if (abi.ascend && draw.chance(30)) s.in_channels = spec::padded_channels(s.in_channels);
  if (abi.ascend && draw.chance(30)) s.out_channels = spec::padded_channels(s.out_channels);
  if (draw.chance(size / 20)) make_long(draw, abi, s);
  return s;
}

}  // namespace wgradcheck::check
