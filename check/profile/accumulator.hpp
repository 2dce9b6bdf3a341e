#pragma once
#include <optional>
#include <vector>

#include "check/profile/line.hpp"

namespace wgradcheck::check {

/// How a number that lies between two others is rounded.
enum class RoundingMode { nearest_even, nearest_away, toward_zero, up, down };

/// How one path adds its products.
struct Accumulator {
  std::optional<int> bits;           ///< significant bits of the sum; nothing where it is not clear
  std::optional<RoundingMode> sums;  ///< of an addition
  std::optional<RoundingMode> last;  ///< to the element type, where the sum is wider
  std::optional<bool> fused;         ///< whether products enter the sum unrounded
  std::vector<Fact> facts;           ///< all of it in words
};

/// Learns it from sums of two and three products, in every order. A sum of M, 1 and -M with M = 2^k loses the
/// 1 in some order as soon as k reaches the bits of the accumulator; what comes out in its place tells how it
/// rounds.
Accumulator learn_accumulator(const Probe&, spec::Path);

/// Whether subnormal numbers are kept as inputs, as results and as what dW held.
struct Subnormals {
  std::optional<bool> kept;  ///< all of them (true) or none
  Fact fact;
};

Subnormals learn_subnormals(const Probe&, spec::Path, bool adds);

}  // namespace wgradcheck::check
