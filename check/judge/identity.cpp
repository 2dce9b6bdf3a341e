#include "check/judge/identity.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "spec/index.hpp"

namespace wgradcheck::check {
namespace {

using spec::Shape;

/// The shape whose taps are compared one by one: that of the rows that combine_taps makes.
Shape compared(Shape s) {
  if (combines_taps(s)) s.height = {s.height.output, s.height.output, 1, 1, 1, 0};
  return s;
}

/// One side of the identity: for each group and compared tap, dW weighed.
class Left {
 public:
  Left(const Shape& s, const Claims& claims, const Secrets& secrets)
      : s_(s),
        ins_(spec::in_per_group(s)),
        outs_(spec::out_per_group(s)),
        columns_(taps_of(s) * ins_),
        claims_(claims),
        u_(secrets.u) {
    const auto to_residues = [](const Weights& from, auto& to) {
      for (std::size_t r = 0; r < kRounds; ++r)
        for (const std::int32_t w : from[r]) to[r].push_back(residue(w));
    };
    to_residues(secrets.v, v_);
    to_residues(secrets.t, t_);
    for (std::size_t r = 0; r < kRounds; ++r) {
      v_[r].resize(v_[r].size() + kWidest);
      sums_[r].resize(kBlock);
      residues_[r].resize(static_cast<std::size_t>(columns_ + 2 * kWidest));
    }
  }

  /// For each compared tap of the group; nothing where a claim is no integer that a sum may be.
  std::vector<Residues> of_group(std::int64_t g) {
    for (std::int64_t first = 0; first < columns_; first += kBlock) {
      const std::int64_t count = std::min(kBlock, columns_ - first);
      if (!add_outputs(g, first, count)) return {};
      for (std::size_t r = 0; r < kRounds; ++r)
        column_residues(sums_[r].data(), count, residues_[r].data() + first);
    }
    const bool combines = combines_taps(s_);
    std::vector<std::array<Wide, kRounds>> sums(static_cast<std::size_t>(taps_of(compared(s_))));
    for (std::int64_t tap = 0; tap < taps_of(s_); ++tap) {
      const std::int64_t kw = tap % s_.width.kernel, kh = tap / s_.width.kernel % s_.height.kernel,
                         kd = tap / (s_.width.kernel * s_.height.kernel);
      for (std::size_t r = 0; r < kRounds; ++r) {
        const Wide sum = multiply_row(residues_[r].data() + tap * ins_, v_[r].data(), ins_);
        if (combines)
          sums[static_cast<std::size_t>(kd * s_.width.kernel + kw)][r].add(
              std::uint64_t{sum.value()} * t_[r][static_cast<std::size_t>(kh)]);
        else
          sums[static_cast<std::size_t>(tap)][r] = sum;
      }
    }
    std::vector<Residues> result;
    for (const auto& sum : sums) result.push_back({sum[0].value(), sum[1].value()});
    return result;
  }

 private:
  /// Sums over the group's output channels of claim times u, for a block of columns of dW.
  bool add_outputs(std::int64_t g, std::int64_t first, std::int64_t count) {
    const ColumnSums sums{sums_[0].data(), sums_[1].data()};
    for (auto& round : sums_) std::fill_n(round.begin(), (count + kWidest - 1) / kWidest * kWidest, 0);
    bool integers = true;
    for (std::int64_t co = 0; co < outs_; co += kRows) {
      // Claims below 2^25 times weights below 2^31 - 2^15, 16 of them and a residue: below 2^60 - 2^43.
      if (co > 0 && co % 16 == 0) reduce_columns(count, sums);
      const std::int64_t some = std::min(kRows, outs_ - co), at = (g * outs_ + co) * columns_ + first;
      RowWeights weights{};
      for (std::size_t r = 0; r < kRounds; ++r) std::copy_n(u_[r].begin() + co, some, weights[r].begin());
      if (claims_.dw.empty()) {
        add_weighed_rows({claims_.sums.data() + at, nullptr, columns_, some, count}, weights, sums);
      } else {
        const std::int16_t* const old = claims_.old.empty() ? nullptr : claims_.old.data() + at;
        integers &= add_weighed_rows({claims_.dw.data() + at, old, columns_, some, count}, weights, sums);
      }
    }
    return integers;
  }

  // Long enough for rows of dW to be read as streams, short enough for the sums to stay in a near cache.
  static constexpr std::int64_t kBlock = 2048;
  const Shape& s_;
  std::int64_t ins_, outs_, columns_;
  const Claims& claims_;
  const Weights& u_;
  std::array<std::vector<std::uint32_t>, kRounds> v_, t_, residues_;
  std::array<std::vector<std::int64_t>, kRounds> sums_;
};

bool are_small(std::span<const std::int32_t> sums) {
  constexpr std::int32_t kMost = 1 << 25;
  return std::ranges::all_of(sums, [](std::int32_t v) { return v < kMost && v > -kMost; });
}

}  // namespace

bool combines_taps(const Shape& s) {
  constexpr std::int64_t kMostRows = 1 << 20;
  if (s.height.kernel > kMostRows) return false;
  // In products of a residue of x: a combined one costs two more, for it is made a residue again.
  const std::int64_t combining = s.depth.input * s.height.output * s.width.input * (s.height.kernel + 2);
  const std::int64_t row =
      s.depth.output * s.height.output * s.width.output * s.depth.kernel * s.width.kernel;
  return combining + row < row * s.height.kernel;
}

Secrets fresh_secrets(const Shape& s) {
  return {fresh_weights(spec::out_per_group(s)), fresh_weights(spec::in_per_group(s)),
          combines_taps(s) ? fresh_weights(s.height.kernel) : Weights()};
}

bool are_exact_sums(const Shape& s, const Integers& dy, const Integers& x, const Claims& claims) {
  return are_exact_sums(s, dy, x, claims, fresh_secrets(s));
}

bool are_exact_sums(const Shape& s, const Integers& dy, const Integers& x, const Claims& claims,
                    const Secrets& secrets) {
  if (!are_small(claims.sums)) return false;
  Left left(s, claims, secrets);
  std::vector<std::vector<Residues>> lefts;
  for (std::int64_t g = 0; g < s.groups; ++g) {
    lefts.push_back(left.of_group(g));
    if (lefts.back().empty()) return false;
  }
  // Kept from call to call: fresh pages cost more than what is done with them.
  thread_local Plane dys, xs, combined;
  weigh(dy, s.out_channels, s.groups, secrets.u, dys);
  weigh(x, s.in_channels, s.groups, secrets.v, xs);
  if (combines_taps(s)) combine_taps(s, xs, secrets.t, combined);
  const Shape c = compared(s);
  std::vector<RowPairs> taps;
  for (std::int64_t tap = 0; tap < taps_of(c); ++tap) taps.push_back(row_pairs(c, tap));
  const auto rights = multiplied(dys, combines_taps(s) ? combined : xs, s.groups, taps);
  for (std::size_t tap = 0; tap < taps.size(); ++tap)
    for (std::size_t g = 0; g < lefts.size(); ++g)
      if (lefts[g][tap] != rights[tap][g]) return false;
  return true;
}

}  // namespace wgradcheck::check
