#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "check/judge/pairs.hpp"
#include "check/judge/vectors.hpp"

namespace wgradcheck::check {

/// Weights for each round: uniform over the 2^32 - 2^16 integers from 2^15 - 2^31 up to 2^31 - 2^15 - 1,
/// which differ modulo the prime.
using Weights = std::array<std::vector<std::int32_t>, kRounds>;

/// Weights that nobody could foresee: of the operating system's generator. Throws std::system_error where
/// there is none.
Weights fresh_weights(std::int64_t count);

/// Weighed sums of each group's channels, residues, one a pixel, for each round.
struct Plane {
  std::array<std::vector<std::uint32_t>, kRounds> sums;  ///< with slack at the end that may be read
  std::int64_t pixel_step = 1, group_step = 1;           ///< elements between two pixels, two groups
};

/// Weighs a channels-last tensor of pixels * channels integers below 2^11 in magnitude with one weight for
/// each channel of a group, the same in every group. Up to 2^17 channels a group. A plane that held another
/// tensor gives its memory to this one.
void weigh(std::span<const std::int16_t> tensor, std::int64_t channels, std::int64_t groups, const Weights&,
           Plane&);

/// Sums the rows of x over the taps of a column, each times its tap's weight: a row for each row of dy,
/// which is what a convolution over x's rows would give.
void combine_taps(const spec::Shape&, const Plane& x, const Weights& taps, Plane& combined);

/// For each tap, group and round, the sum over all pairs of weighed dy times weighed x, residues.
std::vector<std::vector<Residues>> multiplied(const Plane& dy, const Plane& x, std::int64_t groups,
                                              std::span<const RowPairs> taps);

}  // namespace wgradcheck::check
