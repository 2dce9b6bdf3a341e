#pragma once
#include <optional>
#include <vector>

#include "check/judge/data.hpp"
#include "check/judge/finding.hpp"
#include "check/judge/promises.hpp"

namespace wgradcheck::check {

/// Holds every element of dW, on exact data, against its old value, the bias and the exact sum, rounded once
/// to the element type; elements that meet Inf or NaN must not be finite. What is wrong, told with the
/// first wrong element, or nothing. Large shapes are certified by the randomised identity, or compared with
/// sums that are.
std::optional<Finding> compare_dw(const Case&, const Data&, const Promises&, const Tensors&);

/// What dW must hold after the call: the exact value of every element, rounded once to the element type.
std::vector<double> expected_dw(const Case&, const Data&, const Promises&);

}  // namespace wgradcheck::check
