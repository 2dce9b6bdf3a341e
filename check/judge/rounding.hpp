#pragma once
#include <optional>

#include "check/judge/data.hpp"
#include "check/judge/finding.hpp"
#include "check/judge/promises.hpp"

namespace wgradcheck::check {

/// Holds every element of dW, on data whose sums round, against the exact sum and the error that the promised
/// accumulation may make; without a promise the accumulator is the element type's own. The first element
/// outside, or nothing.
std::optional<Finding> compare_rounded(const Case&, const Data&, const Promises&, const Tensors&);

}  // namespace wgradcheck::check
