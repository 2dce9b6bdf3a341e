#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace wgradcheck::check {

inline constexpr std::int64_t kPrime = 4294967291;  ///< 2^32 - 5
inline constexpr std::size_t kRounds = 2;           ///< of the identity, each with weights of its own

/// The residue in [0, kPrime) of a value up to 2^60 - 2^31 in magnitude; 2^32 is 5 modulo the prime.
constexpr std::uint32_t residue(std::int64_t value) {
  const std::uint64_t prime = kPrime, positive = static_cast<std::uint64_t>(value + (kPrime << 28));
  // Below 2^31 + 2^30 and 2^32: less than two primes.
  const std::uint64_t folded = 5 * (positive >> 32) + (positive & 0xffffffff);
  return static_cast<std::uint32_t>(folded < prime ? folded : folded - prime);
}

/// A sum of up to 2^32 products of residues.
struct Wide {
  std::uint64_t total = 0;  ///< modulo 2^64
  std::uint64_t high = 0;   ///< the sum of the products' upper halves

  void add(std::uint64_t product) { total += product, high += product >> 32; }
  void operator+=(const Wide& other) { total += other.total, high += other.high; }
  std::uint32_t value() const {
    // Lower halves sum to less than 2^64, so wrapping loses nothing of them.
    const std::uint64_t prime = kPrime, low = total - (high << 32);
    return static_cast<std::uint32_t>((low % prime + high % prime * 5) % prime);
  }
};

/// A residue for each round.
using Residues = std::array<std::uint32_t, kRounds>;

}  // namespace wgradcheck::check
