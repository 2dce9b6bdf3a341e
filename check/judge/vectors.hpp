#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "check/judge/pairs.hpp"
#include "check/judge/residue.hpp"

/// The vector arithmetic of the randomised identity. Everything here is exact, or a residue modulo kPrime.
namespace wgradcheck::check {

/// The widest vector has so many lanes of 32 bits, and twice as many of 16.
inline constexpr std::int64_t kWidest = 16;

/// Up to so many channels, a power of two, make a narrow unit.
inline constexpr std::int64_t kNarrow = 2 * kWidest;

/// The weights of a unit's channels, each upper * 2^16 + lower: for every round the lower pieces, then the
/// upper ones. Narrow units' weights are repeated up to kNarrow.
using Pieces = std::array<std::vector<std::int16_t>, 2 * kRounds>;

/// Weighs `count` units of `width` channels that lie `step` apart: out[round][unit], residues. Channels are
/// below 2^11 in magnitude. The width is narrow, the step then the same, or a multiple of kNarrow up to 2^17.
/// Units are read, and residues written, up to the count rounded up to kWidest.
void weigh_units(const std::int16_t* units, std::int64_t step, std::int64_t count, std::int64_t width,
                 const Pieces&, const std::array<std::uint32_t*, kRounds>& out);

/// The sum of the products of two rows of residues. Up to kWidest elements beyond them are read.
Wide multiply_row(const std::uint32_t* a, const std::uint32_t* b, std::int64_t count);

/// The sum over all pairs of dy times x, whose pixels are one element apart. Up to 2 * kWidest elements
/// beyond the rows are read.
Wide multiply_rows(const std::uint32_t* dy, const std::uint32_t* x, const Run&);

/// Adds the same for each of many groups, whose elements lie side by side in a pixel. Up to 4 * kWidest
/// elements beyond the last pixel are read.
void multiply_groups(const std::uint32_t* dy, const std::uint32_t* x, std::int64_t groups, const Run&,
                     Wide* sums);

/// Each column's sum of up to 2^20 rows of residues, each times its factor, a residue. The rows are read, and
/// residues written, up to the count rounded up to kWidest.
void combine_rows(std::span<const std::uint32_t* const> rows, const std::uint32_t* factors,
                  std::int64_t count, std::uint32_t* out);

/// At most so many rows of dW are weighed at once.
inline constexpr std::int64_t kRows = 4;

/// A few rows of dW, claims in floats or integers, and what is to be taken from them.
template <class T>
struct Rows {
  const T* claims;
  const std::int16_t* old;  ///< none where null
  std::int64_t step;        ///< elements between two rows
  std::int64_t rows, columns;
};

/// Weights of such rows for each round.
using RowWeights = std::array<std::array<std::int32_t, kRows>, kRounds>;

/// Sums of columns for each round, in an order of their own; room for the columns rounded up to kWidest.
using ColumnSums = std::array<std::int64_t*, kRounds>;

/// Adds rows, each times its weight, to the sums of columns. Whether every claim is an integer below 2^24 in
/// magnitude; otherwise the sums are of no use.
[[nodiscard]] bool add_weighed_rows(const Rows<float>&, const RowWeights&, const ColumnSums&);

/// The same for claims below 2^25 in magnitude.
void add_weighed_rows(const Rows<std::int32_t>&, const RowWeights&, const ColumnSums&);

/// Replaces sums up to 2^60 - 2^31 in magnitude by their residues.
void reduce_columns(std::int64_t columns, const ColumnSums&);

/// The residues of sums up to 2^60 - 2^31 in magnitude, in the order of the columns; written up to their
/// number rounded up to kWidest.
void column_residues(const std::int64_t* sums, std::int64_t columns, std::uint32_t* out);

}  // namespace wgradcheck::check
