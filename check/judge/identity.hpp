#pragma once
#include <cstdint>
#include <span>

#include "check/judge/data.hpp"

namespace wgradcheck::check {

/// Whether `sums` holds the exact sum of every dW element, by a randomised identity: for each group and tap,
/// sum over co,ci of u[co] * sums[co,ci] * v[ci] must equal the sum over positions of (sum of u*dy) * (sum of
/// v*x) modulo 2^32-5, u and v uniform and independent. True sums always pass. Others, if they differ from
/// the true ones by less than 2^31, pass with probability below (2 / (2^32-5))^2 < 2^-61 over the two rounds,
/// given a seed that nobody could foresee. Cost: about one pass over dy, x and sums. Source: R. Freivalds,
/// 1977.
bool are_exact_sums(const spec::Shape&, const Integers& dy, const Integers& x,
                    std::span<const std::int32_t> sums, std::uint64_t seed);

}  // namespace wgradcheck::check
