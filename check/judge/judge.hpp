#pragma once
#include <vector>

#include "check/executor.hpp"
#include "check/judge/data.hpp"
#include "check/judge/finding.hpp"
#include "check/judge/promises.hpp"

namespace wgradcheck::check {

/// What one run shows, held against the formula, the rules and the promises: every buffer that changed and
/// should not have, the stray accesses, and the first wrong element of dW. Empty when all is well.
std::vector<Finding> judge(const Case&, const Data&, const Promises&, const Outcome&, const Tensors&);

/// What dW must hold after the call: the exact value of every element, rounded once to the element type.
std::vector<double> expected_dw(const Case&, const Data&, const Promises&);

}  // namespace wgradcheck::check
