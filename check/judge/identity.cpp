#include "check/judge/identity.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "check/judge/random.hpp"
#include "spec/index.hpp"

#define WGRADCHECK_FOR_EACH_CPU __attribute__((target_clones("avx512f", "avx2", "default")))

namespace wgradcheck::check {
namespace {

using spec::Shape;
constexpr std::int64_t kPrime = 4294967291;  // 2^32 - 5

std::uint32_t residue(std::int64_t value) {
  const std::int64_t r = value % kPrime;
  return static_cast<std::uint32_t>(r < 0 ? r + kPrime : r);
}

/// A sum of products of residues, kept without reduction for up to 2^32 of them.
struct Wide {
  std::uint64_t low = 0, high = 0;

  void add(std::uint64_t product) {
    low += product & 0xffffffff;
    high += product >> 32;
  }
  std::uint64_t value() const {
    // 2^32 is 5 modulo the prime.
    return (low + high % kPrime * 5) % kPrime;
  }
};

/// Weights of both rounds for `count` channels, uniform over the residues, written as the integers nearest to
/// 0.
struct Weights {
  std::vector<std::int32_t> first, second;

  Weights(std::int64_t count, std::uint64_t seed) : first(static_cast<std::size_t>(count)), second(first) {
    const auto draw = [](std::uint64_t bits) {
      return static_cast<std::int32_t>(static_cast<std::int64_t>(bits % kPrime) - kPrime / 2);
    };
    for (std::size_t i = 0; i < first.size(); ++i) {
      first[i] = draw(scrambled(seed, 2 * i));
      second[i] = draw(scrambled(seed, 2 * i + 1));
    }
  }
};

/// Weighted sums of each group's channels, one residue a pixel, for both rounds: [group][pixel].
using Pixels = std::array<std::vector<std::uint32_t>, 2>;

WGRADCHECK_FOR_EACH_CPU
void weigh(const std::int16_t* row, const std::int32_t* u, const std::int32_t* v, std::int64_t count,
           std::int64_t* out) {
  std::int64_t first = 0, second = 0;
  for (std::int64_t c = 0; c < count; ++c) {
    first += static_cast<std::int64_t>(row[c]) * u[c];
    second += static_cast<std::int64_t>(row[c]) * v[c];
  }
  out[0] = first;
  out[1] = second;
}

Pixels weighed(const Integers& tensor, std::int64_t channels, std::int64_t groups, const Weights& w) {
  const std::int64_t pixels = static_cast<std::int64_t>(tensor.size()) / channels, count = channels / groups;
  Pixels out;
  for (auto& round : out) round.resize(static_cast<std::size_t>(pixels * groups));
  for (std::int64_t p = 0; p < pixels; ++p)
    for (std::int64_t g = 0; g < groups; ++g) {
      const std::int64_t at = g * count;
      std::int64_t sums[2];
      // Magnitudes below 2^11 times weights below 2^31: 2^20 channels fit.
      weigh(tensor.data() + p * channels + at, w.first.data() + at, w.second.data() + at, count, sums);
      for (std::size_t r = 0; r < 2; ++r) out[r][static_cast<std::size_t>(g * pixels + p)] = residue(sums[r]);
    }
  return out;
}

/// The outputs of an axis that meet a tap inside the input, by the definition; they are consecutive.
struct Outputs {
  std::int64_t first = 0, count = 0;

  Outputs(const spec::Axis<std::int64_t>& a, std::int64_t tap) {
    for (std::int64_t p = 0; p < a.output; ++p)
      if (spec::touches(a, p, tap)) {
        if (!count) first = p;
        ++count;
      }
  }
};

WGRADCHECK_FOR_EACH_CPU
void add_row(const std::uint32_t* a, const std::uint32_t* b, std::int64_t step, std::int64_t count,
             std::uint64_t* low, std::uint64_t* high) {
  std::uint64_t l = 0, h = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t product = static_cast<std::uint64_t>(a[i]) * b[i * step];
    l += product & 0xffffffff;
    h += product >> 32;
  }
  *low += l;
  *high += h;
}

/// The right-hand side for one group and tap: the sum over positions of weighed dy times weighed x.
std::uint64_t over_positions(const Shape& s, const std::uint32_t* dy, const std::uint32_t* x, std::int64_t kd,
                             const Outputs& rows, std::int64_t kh, const Outputs& columns, std::int64_t kw) {
  const std::int64_t one = 1, none = 0;
  Wide sum;
  if (!columns.count) return 0;
  for (std::int64_t n = 0; n < s.batch; ++n)
    for (std::int64_t od = 0; od < s.depth.output; ++od) {
      if (!spec::touches(s.depth, od, kd)) continue;
      for (std::int64_t oh = rows.first; oh < rows.first + rows.count; ++oh)
        add_row(dy + spec::channels_last(s.depth.output, s.height.output, s.width.output, one, n, od, oh,
                                         columns.first, none),
                x + spec::channels_last(s.depth.input, s.height.input, s.width.input, one, n,
                                        spec::input_at(s.depth, od, kd), spec::input_at(s.height, oh, kh),
                                        spec::input_at(s.width, columns.first, kw), none),
                s.width.stride, columns.count, &sum.low, &sum.high);
    }
  return sum.value();
}

WGRADCHECK_FOR_EACH_CPU
void weigh_sums(const std::int32_t* row, const std::int32_t* u, const std::int32_t* v, std::int64_t count,
                std::int64_t* out) {
  std::int64_t first = 0, second = 0;
  for (std::int64_t c = 0; c < count; ++c) {
    first += static_cast<std::int64_t>(row[c]) * u[c];
    second += static_cast<std::int64_t>(row[c]) * v[c];
  }
  out[0] = first;
  out[1] = second;
}

/// The left-hand sides of a group, for each tap and round: [tap][round].
std::vector<std::array<Wide, 2>> over_sums(const Shape& s, std::int64_t g, std::span<const std::int32_t> sums,
                                           const Weights& u, const Weights& v) {
  const std::int64_t ins = spec::in_per_group(s), outs = spec::out_per_group(s);
  const std::int64_t taps = s.depth.kernel * s.height.kernel * s.width.kernel;
  // Sums below 2^31 times weights below 2^31: two products fit whatever the sums are; real ones are below
  // 2^25.
  constexpr std::int64_t kAtOnce = 64;
  std::vector<std::array<Wide, 2>> result(static_cast<std::size_t>(taps));
  for (std::int64_t co = 0; co < outs; ++co)
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      const std::int32_t* row = sums.data() + ((g * outs + co) * taps + tap) * ins;
      std::int64_t inner[2] = {0, 0};
      for (std::int64_t ci = 0; ci < ins; ci += kAtOnce) {
        std::int64_t part[2];
        weigh_sums(row + ci, v.first.data() + g * ins + ci, v.second.data() + g * ins + ci,
                   std::min(kAtOnce, ins - ci), part);
        for (int r = 0; r < 2; ++r) inner[r] += part[r] % kPrime;
      }
      auto& at = result[static_cast<std::size_t>(tap)];
      const auto channel = static_cast<std::size_t>(g * outs + co);
      at[0].add(static_cast<std::uint64_t>(residue(inner[0])) * residue(u.first[channel]));
      at[1].add(static_cast<std::uint64_t>(residue(inner[1])) * residue(u.second[channel]));
    }
  return result;
}

}  // namespace

bool are_exact_sums(const Shape& s, const Integers& dy, const Integers& x, std::span<const std::int32_t> sums,
                    std::uint64_t seed) {
  // The products below stay within 64 bits only for sums of this size; larger ones are wrong anyway.
  if (std::ranges::any_of(sums, [](std::int32_t v) { return v > (1 << 25) || v < -(1 << 25); })) return false;
  const Weights u(s.out_channels, scrambled(seed, 1)), v(s.in_channels, scrambled(seed, 2));
  const Pixels dys = weighed(dy, s.out_channels, s.groups, u), xs = weighed(x, s.in_channels, s.groups, v);
  const std::size_t dy_pixels = dys[0].size() / static_cast<std::size_t>(s.groups),
                    x_pixels = xs[0].size() / static_cast<std::size_t>(s.groups);
  for (std::int64_t g = 0; g < s.groups; ++g) {
    const auto left = over_sums(s, g, sums, u, v);
    std::size_t tap = 0;
    for (std::int64_t kd = 0; kd < s.depth.kernel; ++kd)
      for (std::int64_t kh = 0; kh < s.height.kernel; ++kh)
        for (std::int64_t kw = 0; kw < s.width.kernel; ++kw, ++tap)
          for (std::size_t round = 0; round < 2; ++round) {
            const std::uint64_t right =
                over_positions(s, dys[round].data() + static_cast<std::size_t>(g) * dy_pixels,
                               xs[round].data() + static_cast<std::size_t>(g) * x_pixels, kd,
                               Outputs(s.height, kh), kh, Outputs(s.width, kw), kw);
            if (left[tap][round].value() != right) return false;
          }
  }
  return true;
}

}  // namespace wgradcheck::check
