#pragma once
#include <array>
#include <cstdint>

#include "check/judge/pairs.hpp"

/// The vector arithmetic of the randomised identity. Everything here is exact, or a residue modulo kPrime.
namespace wgradcheck::check {

inline constexpr std::int64_t kPrime = 4294967291;  ///< 2^32 - 5
inline constexpr std::size_t kRounds = 2;           ///< of the identity, each with weights of its own

/// The residue in [0, kPrime) of a value up to 2^61 - 2^32 in magnitude; 2^32 is 5 modulo the prime.
constexpr std::uint32_t residue(std::int64_t value) {
  constexpr std::uint64_t kLow = 0xffffffff;
  const std::uint64_t positive = static_cast<std::uint64_t>(value + (kPrime << 29));
  const std::uint64_t once = 5 * (positive >> 32) + (positive & kLow);
  const std::uint64_t twice = 5 * (once >> 32) + (once & kLow);
  return static_cast<std::uint32_t>(twice < kPrime ? twice : twice - kPrime);
}

/// A sum of up to 2^32 products of residues.
struct Wide {
  std::uint64_t total = 0;  ///< modulo 2^64
  std::uint64_t high = 0;   ///< the sum of the products' upper halves

  void add(std::uint64_t product) { total += product, high += product >> 32; }
  std::uint32_t value() const {
    // Lower halves sum to less than 2^64, so wrapping loses nothing of them.
    const std::uint64_t prime = kPrime, low = total - (high << 32);
    return static_cast<std::uint32_t>((low % prime + high % prime * 5) % prime);
  }
};

/// A residue for each round.
using Residues = std::array<std::uint32_t, kRounds>;

/// The widest vector has so many lanes of 32 bits.
inline constexpr std::int64_t kWidest = 16;

/// Weighs `count` rows of `width` channels that lie `step` apart, width a multiple of kWidest, with one
/// weight a channel for the first round and one for the second: out[round][row].
void weigh_rows(const std::int16_t* rows, std::int64_t step, std::int64_t count, std::int64_t width,
                const std::int32_t* first, const std::int32_t* second, std::int64_t* const* out);

/// Weighs every two channels of one row: out[round][channel / 2].
void weigh_pairs(const std::int16_t* row, std::int64_t width, const std::int32_t* first,
                 const std::int32_t* second, std::int64_t* const* out);

/// `count` residues, each of the sum of the next `run` numbers.
void reduce(const std::int64_t* sums, std::int64_t run, std::int64_t count, std::uint32_t* out);

/// The sum over all pairs of dy times x, whose pixels are one element apart. Up to kWidest elements beyond
/// the rows are read.
Wide multiply_rows(const std::uint32_t* dy, const std::uint32_t* x, const RowPairs&);

/// The same for each of many groups, whose elements lie side by side in a pixel. Up to kWidest elements
/// beyond the last pixel are read.
void multiply_groups(const std::uint32_t* dy, const std::uint32_t* x, std::int64_t groups, const RowPairs&,
                     Wide* sums);

/// Weights of a few rows for each round.
inline constexpr std::int64_t kWeighRows = 4;
using RowWeights = std::array<std::array<std::int32_t, kWeighRows>, kRounds>;

/// Adds `count` columns of kWeighRows rows that lie `step` apart, each row times its weight:
/// sums[round][column]. Rows and sums are accessed up to `count` rounded up to kWidest.
void add_weighed_rows(const std::int32_t* rows, std::int64_t step, std::int64_t count, const RowWeights&,
                      const std::array<std::int64_t*, kRounds>& sums);

}  // namespace wgradcheck::check
