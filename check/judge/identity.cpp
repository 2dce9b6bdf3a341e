#include "check/judge/identity.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "check/judge/weigh.hpp"
#include "spec/index.hpp"

namespace wgradcheck::check {
namespace {

using spec::Shape;

/// Sums over a group's output channels of claim times u, for a block of columns of dW, then over its columns,
/// each times its v.
class Left {
 public:
  Left(const Shape& s, const Claim& claim, const Weights& u, const Weights& v)
      : ins_(spec::in_per_group(s)),
        outs_(spec::out_per_group(s)),
        columns_(taps_of(s) * ins_),
        claim_(claim),
        u_(u),
        v_(v) {}

  /// For each tap of the group.
  std::vector<Residues> of_group(std::int64_t g) {
    std::vector<std::array<Wide, kRounds>> taps(static_cast<std::size_t>(columns_ / ins_));
    for (std::int64_t first = 0; first < columns_; first += kBlock) {
      const std::int64_t count = std::min(kBlock, columns_ - first);
      add_outputs(g, first, count);
      for (std::int64_t c = 0; c < count; ++c)
        for (std::size_t r = 0; r < kRounds; ++r)
          taps[static_cast<std::size_t>((first + c) / ins_)][r].add(
              std::uint64_t{residue(sums_[r][static_cast<std::size_t>(c)])} *
              residue(v_[r][static_cast<std::size_t>(g * ins_ + (first + c) % ins_)]));
    }
    std::vector<Residues> result;
    for (const auto& tap : taps) result.push_back({tap[0].value(), tap[1].value()});
    return result;
  }

 private:
  void add_outputs(std::int64_t g, std::int64_t first, std::int64_t count) {
    for (auto& round : sums_) std::fill_n(round.begin(), count, 0);
    for (std::int64_t co = 0; co < outs_; co += kWeighRows) {
      RowWeights weights{};
      for (std::int64_t i = 0; i < std::min(kWeighRows, outs_ - co); ++i) {
        const std::int64_t channel = g * outs_ + co + i;
        claim_(channel * columns_ + first, count, rows_.data() + i * kBlock);
        for (std::size_t r = 0; r < kRounds; ++r)
          weights[r][static_cast<std::size_t>(i)] = u_[r][static_cast<std::size_t>(channel)];
      }
      add_weighed_rows(rows_.data(), kBlock, count, weights, {sums_[0].data(), sums_[1].data()});
      // Claims below 2^25 times weights below 2^31, 28 of them: within what a residue may be taken of.
      if (co / kWeighRows % 7 == 6) reduce(count);
    }
    reduce(count);
  }

  void reduce(std::int64_t count) {
    for (auto& round : sums_) std::transform(round.begin(), round.begin() + count, round.begin(), residue);
  }

  // Long enough for rows of dW to be read as streams, short enough for the second-level cache.
  static constexpr std::int64_t kBlock = 6144;
  std::int64_t ins_, outs_, columns_;
  const Claim& claim_;
  const Weights &u_, &v_;
  std::vector<std::int32_t> rows_ = std::vector<std::int32_t>(kBlock * kWeighRows);
  std::array<std::vector<std::int64_t>, kRounds> sums_{std::vector<std::int64_t>(kBlock),
                                                       std::vector<std::int64_t>(kBlock)};
};

}  // namespace

bool are_exact_sums(const Shape& s, const Integers& dy, const Integers& x, const Claim& claim) {
  const Weights u = fresh_weights(s.out_channels), v = fresh_weights(s.in_channels);
  // Kept from call to call: fresh pages cost more than what is done with them.
  thread_local Plane dys, xs;
  weigh(dy, s.out_channels, s.groups, u, dys);
  weigh(x, s.in_channels, s.groups, v, xs);
  Left left(s, claim, u, v);
  std::vector<std::vector<Residues>> lefts;
  for (std::int64_t g = 0; g < s.groups; ++g) lefts.push_back(left.of_group(g));
  for (std::int64_t tap = 0; tap < taps_of(s); ++tap) {
    const auto rights = multiplied(dys, xs, s.groups, row_pairs(s, tap));
    for (std::size_t g = 0; g < rights.size(); ++g)
      if (lefts[g][static_cast<std::size_t>(tap)] != rights[g]) return false;
  }
  return true;
}

bool are_exact_sums(const Shape& s, const Integers& dy, const Integers& x,
                    std::span<const std::int32_t> sums) {
  constexpr std::int32_t kMost = 1 << 25;
  if (std::ranges::any_of(sums, [](std::int32_t v) { return v >= kMost || v <= -kMost; })) return false;
  return are_exact_sums(s, dy, x, [sums](std::int64_t first, std::int64_t count, std::int32_t* to) {
    std::copy_n(sums.begin() + first, count, to);
  });
}

}  // namespace wgradcheck::check
