#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "check/judge/data.hpp"

namespace wgradcheck::check {

/// The rows of dW (output channel * taps + tap, ascending) that hold a wrong claim, by the identity's
/// one-sided form: for each row, sum over ci of claim[ci] * v[ci] must equal the sum over positions of dy
/// times (sum of v*x) modulo 2^32 - 5. A right row is never among them, a wrong one is with a chance above 1
/// - 2^-31. Cost: the plain sum's products divided by the channels of a row.
std::vector<std::int64_t> wrong_rows(const spec::Shape&, const Integers& dy, const Integers& x,
                                     std::span<const std::int32_t> claims);

}  // namespace wgradcheck::check
