#include "check/judge/localise.hpp"

#include <algorithm>

#include "check/judge/clones.hpp"
#include "check/judge/weigh.hpp"

namespace wgradcheck::check {
namespace {

using spec::Shape;

WGRADCHECK_FOR_EACH_CPU
void add_scaled(const std::int16_t* values, std::int64_t factor, std::int64_t count, std::int64_t* sums) {
  for (std::int64_t i = 0; i < count; ++i) sums[i] += values[i] * factor;
}

/// For every output channel, the sum over one tap's positions of dy times weighed x, as residues.
std::vector<std::uint32_t> projected(const Shape& s, const Integers& dy, const Plane& x, std::int64_t tap) {
  const std::int64_t outs = spec::out_per_group(s);
  const RowPairs pairs = row_pairs(s, tap);
  std::vector<std::int64_t> sums(static_cast<std::size_t>(s.out_channels));
  const auto reduced = [](std::int64_t v) -> std::int64_t { return residue(v); };
  // Products below 2^44: a row of up to 2^16 pixels fits, and only what is longer is reduced on the way.
  std::int64_t since = 0;
  for (std::size_t row = 0; row < pairs.dy.size(); ++row)
    for (std::int64_t c = 0; c < pairs.columns; ++c) {
      const std::int16_t* const dys = dy.data() + (pairs.dy[row] + c) * s.out_channels;
      const std::int64_t pixel = pairs.x[row] + c * pairs.stride;
      for (std::int64_t g = 0; g < s.groups; ++g)
        add_scaled(dys + g * outs,
                   x.sums[0][static_cast<std::size_t>(pixel * x.pixel_step + g * x.group_step)], outs,
                   sums.data() + g * outs);
      if (++since % (1 << 16) == 0) std::ranges::transform(sums, sums.begin(), reduced);
    }
  std::vector<std::uint32_t> residues;
  for (const std::int64_t sum : sums) residues.push_back(residue(sum));
  return residues;
}

std::uint32_t weighed_row(const std::int32_t* claim, const std::int32_t* v, std::int64_t count) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum = residue(sum + std::int64_t{claim[i]} * v[i]);
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

std::vector<std::int64_t> wrong_rows(const Shape& s, const Integers& dy, const Integers& x,
                                     std::span<const std::int32_t> claims) {
  const std::int64_t ins = spec::in_per_group(s), taps = taps_of(s);
  const Weights v = fresh_weights(ins);
  Plane xs;
  weigh(x, s.in_channels, s.groups, v, xs);
  std::vector<std::int64_t> wrong;
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    const std::vector<std::uint32_t> due = projected(s, dy, xs, tap);
    for (std::int64_t channel = 0; channel < s.out_channels; ++channel) {
      if (weighed_row(claims.data() + (channel * taps + tap) * ins, v[0].data(), ins) !=
          due[static_cast<std::size_t>(channel)])
        wrong.push_back(channel * taps + tap);
    }
  }
  std::ranges::sort(wrong);
  return wrong;
}

}  // namespace wgradcheck::check
