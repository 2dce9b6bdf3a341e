#include "check/judge/weigh.hpp"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kManyGroups = 8;  ///< from here on a vector takes groups rather than pixels
constexpr std::int64_t kFew = 16;        ///< channels of a group below which a vector holds several groups
constexpr std::int64_t kPixels = 8;  ///< weighed together: of an even number of channels they fill vectors

/// The number next to `count` that `step` divides.
std::int64_t rounded_up(std::int64_t count, std::int64_t step) { return (count + step - 1) / step * step; }

struct Tensor {
  std::span<const std::int16_t> values;
  std::int64_t channels, groups;

  std::int64_t pixels() const { return std::ssize(values) / channels; }
  std::int64_t count() const { return channels / groups; }
};

/// Weights of one row after another, each padded with zeros to `width`.
Weights padded(const Weights& w, std::int64_t rows, std::int64_t count, std::int64_t width) {
  Weights wide;
  for (std::size_t r = 0; r < kRounds; ++r) {
    wide[r].resize(static_cast<std::size_t>(rows * width));
    for (std::int64_t row = 0; row < rows; ++row)
      std::copy_n(w[r].begin() + row * count, count, wide[r].begin() + row * width);
  }
  return wide;
}

using Sums = std::array<std::vector<std::int64_t>, kRounds>;

/// Groups of at least kFew channels, each pixel's in vectors of its own.
void weigh_long(const Tensor& t, const Weights& weights, Plane& plane) {
  constexpr std::int64_t kBlock = 64;
  const std::int64_t count = t.count(), width = rounded_up(count, kWidest), pixels = t.pixels();
  const Weights w = padded(weights, t.groups, count, width);
  Sums sums{std::vector<std::int64_t>(kBlock), std::vector<std::int64_t>(kBlock)};
  std::vector<std::int16_t> last(static_cast<std::size_t>(width));
  std::array<std::uint32_t, kBlock> residues;
  const auto weigh_some = [&](const std::int16_t* rows, std::int64_t g, std::int64_t first,
                              std::int64_t some) {
    std::int64_t* out[kRounds] = {sums[0].data() + first, sums[1].data() + first};
    weigh_rows(rows, t.channels, some, width, w[0].data() + g * width, w[1].data() + g * width, out);
  };
  for (std::int64_t p = 0; p < pixels; p += kBlock)
    for (std::int64_t g = 0; g < t.groups; ++g) {
      const std::int64_t some = std::min(kBlock, pixels - p), at = p * t.channels + g * count;
      // Rows whose vectors end inside the tensor; the others are copied.
      const std::int64_t room = std::ssize(t.values) - at - width;
      const std::int64_t safe = room < 0 ? 0 : std::min(some, room / t.channels + 1);
      weigh_some(t.values.data() + at, g, 0, safe);
      for (std::int64_t i = safe; i < some; ++i) {
        std::copy_n(t.values.begin() + at + i * t.channels, count, last.begin());
        weigh_some(last.data(), g, i, 1);
      }
      for (std::size_t r = 0; r < kRounds; ++r) {
        reduce(sums[r].data(), 1, some, residues.data());
        std::uint32_t* const to = plane.sums[r].data() + p * plane.pixel_step + g * plane.group_step;
        for (std::int64_t i = 0; i < some; ++i)
          to[i * plane.pixel_step] = residues[static_cast<std::size_t>(i)];
      }
    }
}

/// Smaller groups: rows of kPixels pixels, each group padded with a zero to an even number of channels.
void weigh_few(const Tensor& t, const Weights& weights, Plane& plane) {
  const std::int64_t count = t.count(), width = rounded_up(count, 2), units = kPixels * t.groups;
  const Weights once = padded(weights, t.groups, count, width);
  Weights w;
  for (std::size_t r = 0; r < kRounds; ++r)
    for (std::int64_t p = 0; p < kPixels; ++p) w[r].insert(w[r].end(), once[r].begin(), once[r].end());
  Sums sums{std::vector<std::int64_t>(w[0].size() / 2), std::vector<std::int64_t>(w[0].size() / 2)};
  std::int64_t* out[kRounds] = {sums[0].data(), sums[1].data()};
  std::vector<std::int16_t> row(w[0].size());
  std::vector<std::uint32_t> residues(static_cast<std::size_t>(units));
  for (std::int64_t p = 0; p < t.pixels(); p += kPixels) {
    const std::int64_t some = std::min(kPixels, t.pixels() - p);
    const std::int16_t* from = t.values.data() + p * t.channels;
    if (width != count || some < kPixels) {
      for (std::int64_t unit = 0; unit < some * t.groups; ++unit)
        for (std::int64_t c = 0; c < count; ++c)
          row[static_cast<std::size_t>(unit * width + c)] = from[unit * count + c];
      from = row.data();
    }
    weigh_pairs(from, units * width, w[0].data(), w[1].data(), out);
    for (std::size_t r = 0; r < kRounds; ++r) {
      const bool in_order = plane.pixel_step == t.groups;
      std::uint32_t* const to = in_order ? plane.sums[r].data() + p * t.groups : residues.data();
      reduce(out[r], width / 2, some * t.groups, to);
      for (std::int64_t i = 0; !in_order && i < some; ++i)
        for (std::int64_t g = 0; g < t.groups; ++g)
          plane.sums[r][static_cast<std::size_t>(p + i + g * plane.group_step)] =
              residues[static_cast<std::size_t>(i * t.groups + g)];
    }
  }
}

}  // namespace

Weights fresh_weights(std::int64_t channels) {
  Weights weights;
  for (auto& round : weights) {
    std::vector<std::uint64_t> bits(static_cast<std::size_t>(channels));
    auto* const bytes = reinterpret_cast<char*>(bits.data());
    const std::size_t size = bits.size() * sizeof bits[0];
    for (std::size_t done = 0; done < size;) {
      const ssize_t got = getrandom(bytes + done, size - done, 0);
      if (got < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "getrandom");
      if (got > 0) done += static_cast<std::size_t>(got);
    }
    // The upper half's multiples of 2^-32 fall on 65,535 values, none with a chance above 2^-16 + 2^-31.
    for (const std::uint64_t b : bits)
      round.push_back(
          static_cast<std::int32_t>((static_cast<std::int64_t>((b >> 32) * 65535 >> 32) - 32767) * 65536 +
                                    static_cast<std::int16_t>(b & 0xffff)));
  }
  return weights;
}

void weigh(std::span<const std::int16_t> values, std::int64_t channels, std::int64_t groups,
           const Weights& weights, Plane& plane) {
  const Tensor t{values, channels, groups};
  const auto size = static_cast<std::size_t>(t.pixels() * groups + 8 * kWidest);
  for (auto& sums : plane.sums)
    if (sums.size() < size) sums.resize(size);
  const bool many = groups >= kManyGroups;
  plane.pixel_step = many ? groups : 1;
  plane.group_step = many ? 1 : t.pixels();
  if (t.count() < kFew)
    weigh_few(t, weights, plane);
  else
    weigh_long(t, weights, plane);
}

std::vector<Residues> multiplied(const Plane& dy, const Plane& x, std::int64_t groups,
                                 const RowPairs& pairs) {
  std::vector<Residues> result(static_cast<std::size_t>(groups));
  std::vector<Wide> sums(result.size());
  for (std::size_t r = 0; r < kRounds; ++r) {
    if (groups >= kManyGroups)
      multiply_groups(dy.sums[r].data(), x.sums[r].data(), groups, pairs, sums.data());
    for (std::int64_t g = 0; groups < kManyGroups && g < groups; ++g)
      sums[static_cast<std::size_t>(g)] =
          multiply_rows(dy.sums[r].data() + g * dy.group_step, x.sums[r].data() + g * x.group_step, pairs);
    for (std::size_t g = 0; g < result.size(); ++g) result[g][r] = sums[g].value();
  }
  return result;
}

}  // namespace wgradcheck::check
