#pragma once
#include <optional>
#include <span>
#include <vector>

#include "check/judge/data.hpp"
#include "check/judge/finding.hpp"
#include "check/judge/promises.hpp"

namespace wgradcheck::check {

/// What dW shows on data whose sums round.
struct Rounding {
  std::optional<Finding> finding;  ///< the first element whose error is not allowed
  double worst = 0;                ///< the largest error of an element over the error it may have
};

/// What an element of dW may hold after the call: on exact data one value, otherwise whatever the promised
/// accumulation may make of it. All of them are values of the element type, but for the bound.
struct Allowed {
  double exact, least, most;
  double bound;  ///< on the error before rounding to the element type
};

/// Of the elements of dW with these indices. Requires data without Inf and NaN.
std::vector<Allowed> allowed_elements(const Case&, const Data&, const Promises&,
                                      std::span<const std::int64_t> indices);

/// Whether no element of dW errs by more than a transform such as Winograd's may make it, exact as the data
/// may be. Requires data without Inf and NaN.
bool a_transform_may_give(const Case&, const Data&, const Promises&, std::span<const double> dw);

/// Replaces elements of dW that lie within the error of promised Fourier transforms of an integer by it, as
/// the sums of exact data are. Nothing under any other promise.
void settle(const Case&, const Data&, const Promises&, std::span<std::byte> dw);

/// Holds every element of dW, on data whose sums round, against the exact sum and the error that the promised
/// accumulation may make; without a promise the accumulator is the element type's own, and an error that a
/// transform such as Winograd's may make is a note.
Rounding compare_rounded(const Case&, const Data&, const Promises&, const Tensors&);

}  // namespace wgradcheck::check
