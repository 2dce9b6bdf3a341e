#pragma once
#include <cstdint>
#include <functional>
#include <span>

#include "check/judge/data.hpp"

namespace wgradcheck::check {

/// Claimed sums of dW, below 2^25 in magnitude: writes elements [first, first + count) to the last argument.
using Claim = std::function<void(std::int64_t first, std::int64_t count, std::int32_t*)>;

/// Whether the claim is the exact sum of every dW element, by a randomised identity: for each group and tap,
/// sum over co,ci of u[co] * claim[co,ci] * v[ci] must equal the sum over positions of (sum of u*dy) * (sum
/// of v*x) modulo p = 2^32 - 5, in two rounds. True sums always pass. Others pass with a chance below 2^-61,
/// whatever seeds the data: weights come from the operating system, uniform over S, 2^32 - 2^16 integers that
/// differ modulo p, so that none has a chance above q = 2^-32 * (1 + 2^-15). The errors E of a wrong tap are
/// below p in magnitude, so E is not 0 modulo p; some row of E v vanishes with a chance of q at most, and
/// where it does not, u (E v) does with q at most: 2q a round, and (2q)^2 < 2^-61 in two. Cost: about one
/// pass over dy, x and dW. Source: R. Freivalds, 1977, with J. Schwartz's bound for a bilinear form.
bool are_exact_sums(const spec::Shape&, const Integers& dy, const Integers& x, const Claim&);

/// The same for sums that are at hand; larger ones than a claim may hold are wrong.
bool are_exact_sums(const spec::Shape&, const Integers& dy, const Integers& x,
                    std::span<const std::int32_t> sums);

}  // namespace wgradcheck::check
