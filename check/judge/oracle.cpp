#include "check/judge/oracle.hpp"

#include <algorithm>

#include "spec/index.hpp"

namespace wgradcheck::check {
namespace {

using spec::Shape;

/// A position of dy and the position of x that one tap pairs with it; both count pixels.
struct Pair {
  std::int64_t dy, x;
};

/// All pairs of one tap, by the definition.
std::vector<Pair> pairs_of(const Shape& s, std::int64_t kd, std::int64_t kh, std::int64_t kw) {
  std::vector<Pair> pairs;
  for (std::int64_t n = 0; n < s.batch; ++n)
    for (std::int64_t od = 0; od < s.depth.output; ++od) {
      if (!spec::touches(s.depth, od, kd)) continue;
      for (std::int64_t oh = 0; oh < s.height.output; ++oh) {
        if (!spec::touches(s.height, oh, kh)) continue;
        for (std::int64_t ow = 0; ow < s.width.output; ++ow) {
          if (!spec::touches(s.width, ow, kw)) continue;
          const std::int64_t one = 1, none = 0;
          pairs.push_back(
              {spec::channels_last(s.depth.output, s.height.output, s.width.output, one, n, od, oh, ow, none),
               spec::channels_last(s.depth.input, s.height.input, s.width.input, one, n,
                                   spec::input_at(s.depth, od, kd), spec::input_at(s.height, oh, kh),
                                   spec::input_at(s.width, ow, kw), none)});
        }
      }
    }
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

#define WGRADCHECK_FOR_EACH_CPU __attribute__((target_clones("avx512f", "avx2", "default")))
WGRADCHECK_FOR_EACH_CPU void add_products(const Pair* pairs, std::int64_t count, const Rows& dy,
                                          const Rows& x, std::int32_t* sums) {
  add_pairs(pairs, count, dy, x, sums);
}
WGRADCHECK_FOR_EACH_CPU void add_products(const Pair* pairs, std::int64_t count, const Rows& dy,
                                          const Rows& x, std::int64_t* sums) {
  add_pairs(pairs, count, dy, x, sums);
}

template <class Sum>
std::vector<Sum> all_sums(const Shape& s, const Integers& dy, const Integers& x) {
  const std::int64_t outs = spec::out_per_group(s), ins = spec::in_per_group(s);
  const std::int64_t taps = s.depth.kernel * s.height.kernel * s.width.kernel;
  // Sums of a block of output channels stay in the first-level cache while all pairs pass by.
  const std::int64_t block = std::clamp<std::int64_t>(4096 / ins, 1, outs);
  std::vector<Sum> result(static_cast<std::size_t>(spec::dw_elems(s)));
  std::vector<Sum> sums(static_cast<std::size_t>(block * ins));
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    const std::int64_t kw = tap % s.width.kernel, kh = tap / s.width.kernel % s.height.kernel,
                       kd = tap / (s.width.kernel * s.height.kernel);
    const std::vector<Pair> pairs = pairs_of(s, kd, kh, kw);
    for (std::int64_t g = 0; g < s.groups; ++g)
      for (std::int64_t co = 0; co < outs; co += block) {
        const std::int64_t count = std::min(block, outs - co);
        std::ranges::fill(sums, 0);
        add_products(pairs.data(), std::ssize(pairs), {dy.data() + g * outs + co, count, s.out_channels},
                     {x.data() + g * ins, ins, s.in_channels}, sums.data());
        for (std::int64_t i = 0; i < count; ++i)
          std::copy_n(sums.begin() + i * ins, ins,
                      result.begin() + spec::dw_offset<std::int64_t>(s, g, co + i, kd, kh, kw, 0));
      }
  }
  return result;
}

}  // namespace

std::vector<std::int32_t> exact_sums(const Shape& s, const Integers& dy, const Integers& x) {
  return all_sums<std::int32_t>(s, dy, x);
}

std::vector<std::int64_t> exact_long_sums(const Shape& s, const Integers& dy, const Integers& x) {
  return all_sums<std::int64_t>(s, dy, x);
}

std::int64_t terms_of(const Shape& s, const spec::Element& e) {
  const auto inside = [](const spec::Axis<std::int64_t>& a, std::int64_t tap) {
    std::int64_t count = 0;
    for (std::int64_t p = 0; p < a.output; ++p) count += spec::touches(a, p, tap);
    return count;
  };
  return s.batch * inside(s.depth, e.kd) * inside(s.height, e.kh) * inside(s.width, e.kw);
}

std::vector<bool> meets_non_finite(const Shape& s, const Data& data) {
  std::vector<bool> meets(static_cast<std::size_t>(spec::dw_elems(s)));
  for (const NonFinite& e : data.dy_non_finite) {
    const std::int64_t channel = e.index % s.out_channels;
    const std::int64_t ow = e.index / s.out_channels % s.width.output;
    const std::int64_t oh = e.index / (s.out_channels * s.width.output) % s.height.output;
    const std::int64_t od = e.index / (s.out_channels * s.width.output * s.height.output) % s.depth.output;
    for (std::int64_t i = 0; i < spec::dw_elems(s); ++i) {
      const spec::Element to = spec::element_at(s, i);
      if (to.g * spec::out_per_group(s) + to.co == channel && spec::touches(s.depth, od, to.kd) &&
          spec::touches(s.height, oh, to.kh) && spec::touches(s.width, ow, to.kw))
        meets[static_cast<std::size_t>(i)] = true;
    }
  }
  return meets;
}

}  // namespace wgradcheck::check
