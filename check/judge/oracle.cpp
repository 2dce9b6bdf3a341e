#include "check/judge/oracle.hpp"

#include <algorithm>
#include <cmath>

#include "check/judge/channels.hpp"
#include "check/judge/clones.hpp"
#include "check/judge/finding.hpp"
#include "check/judge/pairs.hpp"
#include "spec/index.hpp"

namespace wgradcheck::check {
namespace {

using spec::Shape;

/// A position of dy and the position of x that one tap pairs with it; both count pixels.
struct Pair {
  std::int64_t dy, x;
};

/// All pairs of one tap.
std::vector<Pair> pairs_of(const Shape& s, std::int64_t tap) {
  const RowPairs rows = row_pairs(s, tap);
  std::vector<Pair> pairs;
  pairs.reserve(rows.dy.size() * static_cast<std::size_t>(rows.columns));
  for (std::size_t row = 0; row < rows.dy.size(); ++row)
    for (std::int64_t c = 0; c < rows.columns; ++c)
      pairs.push_back({rows.dy[row] + c, rows.x[row] + c * rows.stride});
  return pairs;
}

/// The rows of one group that a pair multiplies: its channels, and the channels of a pixel.
struct Rows {
  const std::int16_t* first;
  std::int64_t count, step;
};

/// sums[co][ci] += dy[co] * x[ci] over all pairs.
template <class Sum>
[[gnu::always_inline]] inline void add_pairs(const Pair* pairs, std::int64_t count, const Rows& dy,
                                             const Rows& x, Sum* sums) {
  for (const Pair* pair = pairs; pair != pairs + count; ++pair) {
    const std::int16_t* dy_row = dy.first + pair->dy * dy.step;
    const std::int16_t* x_row = x.first + pair->x * x.step;
    for (std::int64_t co = 0; co < dy.count; ++co)
      for (std::int64_t ci = 0; ci < x.count; ++ci)
        sums[co * x.count + ci] += static_cast<Sum>(dy_row[co]) * static_cast<Sum>(x_row[ci]);
  }
}

WGRADCHECK_FOR_EACH_CPU void add_products(const Pair* pairs, std::int64_t count, const Rows& dy,
                                          const Rows& x, std::int32_t* sums) {
  add_pairs(pairs, count, dy, x, sums);
}
WGRADCHECK_FOR_EACH_CPU void add_products(const Pair* pairs, std::int64_t count, const Rows& dy,
                                          const Rows& x, std::int64_t* sums) {
  add_pairs(pairs, count, dy, x, sums);
}

/// Adds, for each tap and channel, the sum over all pairs.
void add_channels(const std::int16_t* dy, const std::int16_t* x, std::int64_t channels,
                  std::span<const Run> taps, std::int32_t* sums) {
  add_channel_products(dy, x, channels, taps, sums);
}
WGRADCHECK_FOR_EACH_CPU void add_channels(const std::int16_t* dy, const std::int16_t* x,
                                          std::int64_t channels, std::span<const Run> taps,
                                          std::int64_t* __restrict sums) {
  for (const Run& run : taps) {
    for (std::size_t row = 0; row < run.dy.size(); ++row)
      for (std::int64_t column = 0; column < run.columns; ++column) {
        const std::int16_t* dys = dy + (run.dy[row] + column) * channels;
        const std::int16_t* xs = x + (run.x[row] + column * run.stride) * channels;
        for (std::int64_t c = 0; c < channels; ++c) sums[c] += std::int64_t{dys[c]} * xs[c];
      }
    sums += channels;
  }
}

/// The sums of a shape with as many channels of x, each of which one channel of dy meets.
template <class Sum>
std::vector<Sum> depthwise_sums(const Shape& s, const Integers& dy, const Integers& x) {
  // So many pixels of a few channels stay in the first-level cache while all taps pass by.
  const std::int64_t rows = std::max<std::int64_t>(128 / s.width.output, 1), taps = taps_of(s);
  std::vector<RowPairs> pairs;
  for (std::int64_t tap = 0; tap < taps; ++tap) pairs.push_back(row_pairs(s, tap));
  std::vector<Sum> sums(static_cast<std::size_t>(taps * s.out_channels));
  std::vector<Run> runs(pairs.size());
  for (std::int64_t first = 0; first < s.batch * s.depth.output * s.height.output; first += rows) {
    std::ranges::transform(pairs, runs.begin(), [&](const RowPairs& p) { return run_of(p, first, rows); });
    add_channels(dy.data(), x.data(), s.out_channels, runs, sums.data());
  }
  std::vector<Sum> result(sums.size());
  for (std::int64_t tap = 0; tap < taps; ++tap)
    for (std::int64_t c = 0; c < s.out_channels; ++c)
      result[static_cast<std::size_t>(c * taps + tap)] =
          sums[static_cast<std::size_t>(tap * s.out_channels + c)];
  return result;
}

/// Each number Times times.
template <int Times>
Integers repeated(const Integers& values) {
  Integers all(values.size() * Times);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t k = 0; k < Times; ++k) all[i * Times + k] = values[i];
  return all;
}

/// Of groups of one input channel.
template <class Sum>
std::vector<Sum> channelwise_sums(const Shape& s, const Integers& dy, const Integers& x) {
  switch (spec::out_per_group(s)) {
    case 2:
      return depthwise_sums<Sum>(s, dy, repeated<2>(x));
    case 3:
      return depthwise_sums<Sum>(s, dy, repeated<3>(x));
    case 4:
      return depthwise_sums<Sum>(s, dy, repeated<4>(x));
    default:
      return depthwise_sums<Sum>(s, dy, x);
  }
}

/// Sums of output channels [first, first + count) of a group at one tap, whose pairs are given:
/// sums[co][ci].
template <class Sum>
void block_sums(const Shape& s, const Integers& dy, const Integers& x, const std::vector<Pair>& pairs,
                std::int64_t g, std::int64_t first, std::int64_t count, Sum* sums) {
  const std::int64_t outs = spec::out_per_group(s), ins = spec::in_per_group(s);
  std::fill_n(sums, count * ins, Sum{});
  add_products(pairs.data(), std::ssize(pairs), {dy.data() + g * outs + first, count, s.out_channels},
               {x.data() + g * ins, ins, s.in_channels}, sums);
}

template <class Sum>
std::vector<Sum> all_sums(const Shape& s, const Integers& dy, const Integers& x) {
  if (is_channelwise(s)) return channelwise_sums<Sum>(s, dy, x);
  const std::int64_t outs = spec::out_per_group(s), ins = spec::in_per_group(s), taps = taps_of(s);
  // Sums of a block of output channels stay in the first-level cache while all pairs pass by.
  const std::int64_t block = std::clamp<std::int64_t>(4096 / ins, 1, outs);
  std::vector<Sum> result(static_cast<std::size_t>(spec::dw_elems(s)));
  std::vector<Sum> sums(static_cast<std::size_t>(block * ins));
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    const std::vector<Pair> pairs = pairs_of(s, tap);
    for (std::int64_t g = 0; g < s.groups; ++g)
      for (std::int64_t co = 0; co < outs; co += block) {
        const std::int64_t count = std::min(block, outs - co);
        block_sums(s, dy, x, pairs, g, co, count, sums.data());
        for (std::int64_t i = 0; i < count; ++i)
          std::copy_n(sums.begin() + i * ins, ins, result.begin() + ((g * outs + co + i) * taps + tap) * ins);
      }
  }
  return result;
}

}  // namespace

bool is_channelwise(const Shape& s) {
  // Fewer channels than these make no vector.
  constexpr std::int64_t kVector = 8, kMostOutputs = 4;
  const std::int64_t outs = spec::out_per_group(s);
  return spec::in_per_group(s) == 1 && (outs == 1 || (outs <= kMostOutputs && s.out_channels >= kVector));
}

std::vector<std::int32_t> exact_sums(const Shape& s, const Integers& dy, const Integers& x) {
  return all_sums<std::int32_t>(s, dy, x);
}

std::vector<std::int64_t> exact_long_sums(const Shape& s, const Integers& dy, const Integers& x) {
  return all_sums<std::int64_t>(s, dy, x);
}

std::vector<std::int32_t> exact_row(const Shape& s, const Integers& dy, const Integers& x, std::int64_t row) {
  const std::int64_t outs = spec::out_per_group(s), channel = row / taps_of(s);
  std::vector<std::int32_t> sums(static_cast<std::size_t>(spec::in_per_group(s)));
  block_sums(s, dy, x, pairs_of(s, row % taps_of(s)), channel / outs, channel % outs, 1, sums.data());
  return sums;
}

namespace {

/// Whether a tap reads an input coordinate for any output.
bool is_touched(const spec::Axis<std::int64_t>& a, std::int64_t coordinate, std::int64_t tap) {
  for (std::int64_t p = 0; p < a.output; ++p)
    if (spec::input_at(a, p, tap) == coordinate) return true;
  return false;
}

}  // namespace

std::vector<bool> meets_non_finite(const Shape& s, const Data& data, bool adds) {
  std::vector<bool> meets(static_cast<std::size_t>(spec::dw_elems(s)));
  const auto mark = [&](BufferId id, std::int64_t index, const auto& reaches) {
    const Pixel p = pixel_at(id, s, index);
    for (std::int64_t i = 0; i < spec::dw_elems(s); ++i) {
      const spec::Element to = spec::element_at(s, i);
      const std::int64_t channel =
          id == BufferId::dy ? to.g * spec::out_per_group(s) + to.co : to.g * spec::in_per_group(s) + to.ci;
      if (channel == p.c && reaches(s.depth, p.d, to.kd) && reaches(s.height, p.h, to.kh) &&
          reaches(s.width, p.w, to.kw))
        meets[static_cast<std::size_t>(i)] = true;
    }
  };
  for (const Special& e : data.dy_special)
    if (!std::isfinite(e.value)) mark(BufferId::dy, e.index, spec::touches<std::int64_t>);
  for (const Special& e : data.x_special)
    if (!std::isfinite(e.value)) mark(BufferId::x, e.index, is_touched);
  if (adds)
    for (const Special& e : data.dw_special) meets[static_cast<std::size_t>(e.index)] = true;
  return meets;
}

}  // namespace wgradcheck::check
