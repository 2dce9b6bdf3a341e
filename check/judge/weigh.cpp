#include "check/judge/weigh.hpp"

#include <sys/random.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "spec/index.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kManyGroups = 8;  ///< from here on a vector takes groups rather than pixels
constexpr std::int64_t kBlock = 256;     ///< units weighed together where they are copied first
constexpr std::int64_t kNear = 4096;     ///< residues of a tensor that a near cache holds for all taps
constexpr std::int64_t kSlack = 8 * kWidest;

std::int64_t rounded_up(std::int64_t count, std::int64_t step) { return (count + step - 1) / step * step; }

/// Channels of a unit as weigh_units takes it.
std::int64_t width_for(std::int64_t count) {
  return count > kNarrow ? rounded_up(count, kNarrow)
                         : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(count)));
}

Pieces pieces_of(const Weights& weights, std::int64_t width) {
  Pieces pieces;
  for (std::size_t r = 0; r < kRounds; ++r)
    for (auto* const piece : {&pieces[2 * r], &pieces[2 * r + 1]}) {
      for (const std::int32_t w : weights[r]) {
        const auto lower = static_cast<std::int16_t>(w & 0xffff);
        piece->push_back(piece == &pieces[2 * r] ? lower : static_cast<std::int16_t>((w - lower) / 65536));
      }
      piece->resize(static_cast<std::size_t>(width));
      while (std::ssize(*piece) < kNarrow)
        piece->insert(piece->end(), piece->begin(), piece->begin() + width);
    }
  return pieces;
}

/// Units of `count` channels, one after another.
struct Units {
  std::span<const std::int16_t> values;
  std::int64_t count;

  std::int64_t number() const { return std::ssize(values) / count; }
  /// Units from the first on of which `width` channels lie inside the tensor.
  std::int64_t with(std::int64_t width) const {
    return std::ssize(values) < width ? 0 : (std::ssize(values) - width) / count + 1;
  }
};

/// Copies units to places `Width` apart; what follows a unit there is of no matter.
template <std::int64_t Width>
void spread(const std::int16_t* from, std::int64_t count, std::int64_t units, std::int16_t* to) {
  for (std::int64_t unit = 0; unit < units; ++unit)
    std::memcpy(to + unit * Width, from + unit * count, Width * sizeof *to);
}

/// Copies units [first, first + some) to places `width` apart.
void spread(const Units& t, std::int64_t first, std::int64_t some, std::int64_t width, std::int16_t* to) {
  // Of other widths, where no unit is smaller, few are copied.
  const bool padded = width >= 4 && width <= kNarrow;
  const std::int64_t whole = padded ? std::clamp<std::int64_t>(t.with(width) - first, 0, some) : 0;
  const auto quickly = width == 4    ? spread<4>
                       : width == 8  ? spread<8>
                       : width == 16 ? spread<16>
                                     : spread<kNarrow>;
  quickly(t.values.data() + first * t.count, t.count, whole, to);
  for (std::int64_t unit = whole; unit < some; ++unit)
    std::copy_n(t.values.begin() + (first + unit) * t.count, t.count, to + unit * width);
}

/// Moves residues of units, groups side by side, to where the plane has them.
void scatter(const std::array<std::uint32_t*, kRounds>& from, std::int64_t first, std::int64_t some,
             std::int64_t groups, Plane& plane) {
  for (std::size_t r = 0; r < kRounds; ++r)
    for (std::int64_t unit = first; unit < first + some; ++unit)
      plane.sums[r][static_cast<std::size_t>(unit / groups * plane.pixel_step +
                                             unit % groups * plane.group_step)] = from[r][unit - first];
}

void make_room(Plane& plane, std::int64_t elements) {
  for (auto& sums : plane.sums)
    if (std::ssize(sums) < elements + kSlack) sums.resize(static_cast<std::size_t>(elements + kSlack));
}

}  // namespace

Weights fresh_weights(std::int64_t count) {
  Weights weights;
  std::vector<std::uint32_t> bits(static_cast<std::size_t>(count));
  for (auto& round : weights) {
    round.reserve(bits.size());
    while (round.size() < bits.size()) {
      auto* const bytes = reinterpret_cast<char*>(bits.data());
      const std::size_t size = (bits.size() - round.size()) * sizeof bits[0];
      for (std::size_t done = 0; done < size;) {
        const ssize_t got = getrandom(bytes + done, size - done, 0);
        if (got < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "getrandom");
        if (got > 0) done += static_cast<std::size_t>(got);
      }
      // Of 2^16 upper halves one would not fit 16 bits beside its negative: drawn again.
      for (const std::uint32_t b : std::span(bits).first(size / sizeof bits[0]))
        if (const auto upper = static_cast<std::int16_t>(b >> 16); upper != INT16_MIN)
          round.push_back(upper * 65536 + static_cast<std::int16_t>(b & 0xffff));
    }
  }
  return weights;
}

void weigh(std::span<const std::int16_t> values, std::int64_t channels, std::int64_t groups,
           const Weights& weights, Plane& plane) {
  const Units t{values, channels / groups};
  const std::int64_t width = width_for(t.count), number = t.number();
  const Pieces pieces = pieces_of(weights, width);
  const bool many = groups >= kManyGroups, in_order = many || groups == 1;
  plane.pixel_step = many ? groups : 1;
  plane.group_step = many ? 1 : number / groups;
  make_room(plane, number);
  std::array<std::vector<std::uint32_t>, kRounds> apart;
  if (!in_order)
    for (auto& round : apart) round.resize(kBlock);
  // Whole vectors of units are weighed where they lie.
  const bool lie_well = width == t.count || width > kNarrow;
  const std::int64_t well = lie_well ? t.with(width) / kWidest * kWidest : 0;
  const std::int64_t most = std::min(kBlock, rounded_up(number - well, kWidest));
  std::vector<std::int16_t> copies(static_cast<std::size_t>(most * width));
  for (std::int64_t first = 0; first < number;) {
    const std::int64_t rest = (first < well ? well : number) - first;
    const std::int64_t some = first < well && in_order ? rest : std::min(kBlock, rest);
    if (first >= well) spread(t, first, some, width, copies.data());
    std::array<std::uint32_t*, kRounds> out;
    for (std::size_t r = 0; r < kRounds; ++r)
      out[r] = in_order ? plane.sums[r].data() + first : apart[r].data();
    weigh_units(first < well ? values.data() + first * t.count : copies.data(),
                first < well ? t.count : width, some, width, pieces, out);
    if (!in_order) scatter(out, first, some, groups, plane);
    first += some;
  }
}

void combine_taps(const spec::Shape& s, const Plane& x, const Weights& taps, Plane& combined) {
  const spec::Axis<std::int64_t>& h = s.height;
  const std::int64_t many = x.pixel_step, planes = many > 1 ? 1 : s.groups, row = s.width.input * many;
  const std::int64_t images = s.batch * s.depth.input, rows = images * h.output;
  combined.pixel_step = x.pixel_step;
  combined.group_step = many > 1 ? 1 : rows * row;
  make_room(combined, planes * rows * row);
  std::vector<const std::uint32_t*> from;
  std::vector<std::uint32_t> factors;
  for (std::size_t r = 0; r < kRounds; ++r)
    for (std::int64_t i = 0; i < planes * images; ++i)
      for (std::int64_t oh = 0; oh < h.output; ++oh) {
        from.clear(), factors.clear();
        for (std::int64_t kh = 0; kh < h.kernel; ++kh)
          if (spec::touches(h, oh, kh)) {
            from.push_back(x.sums[r].data() + (i * h.input + spec::input_at(h, oh, kh)) * row);
            factors.push_back(residue(taps[r][static_cast<std::size_t>(kh)]));
          }
        combine_rows(from, factors.data(), row, combined.sums[r].data() + (i * h.output + oh) * row);
      }
}

std::vector<std::vector<Residues>> multiplied(const Plane& dy, const Plane& x, std::int64_t groups,
                                              std::span<const RowPairs> taps) {
  std::vector<std::vector<Residues>> result(taps.size(),
                                            std::vector<Residues>(static_cast<std::size_t>(groups)));
  std::vector<std::vector<Wide>> sums(taps.size(), std::vector<Wide>(static_cast<std::size_t>(groups)));
  std::int64_t most = 0, columns = 1;
  for (const RowPairs& tap : taps) {
    most = std::max(most, std::ssize(tap.dy));
    columns = std::max(columns, tap.columns);
  }
  const std::int64_t together = std::max<std::int64_t>(kNear / (columns * groups), 1);
  for (std::size_t r = 0; r < kRounds; ++r) {
    for (auto& tap : sums) std::ranges::fill(tap, Wide());
    for (std::int64_t first = 0; first < most; first += together)
      for (std::size_t tap = 0; tap < taps.size(); ++tap) {
        const Run run = run_of(taps[tap], first, together);
        if (groups >= kManyGroups)
          multiply_groups(dy.sums[r].data(), x.sums[r].data(), groups, run, sums[tap].data());
        for (std::int64_t g = 0; groups < kManyGroups && g < groups; ++g)
          sums[tap][static_cast<std::size_t>(g)] +=
              multiply_rows(dy.sums[r].data() + g * dy.group_step, x.sums[r].data() + g * x.group_step, run);
      }
    for (std::size_t tap = 0; tap < taps.size(); ++tap)
      for (std::size_t g = 0; g < sums[tap].size(); ++g) result[tap][g][r] = sums[tap][g].value();
  }
  return result;
}

}  // namespace wgradcheck::check
