#pragma once
#include <optional>
#include <vector>

#include "check/executor.hpp"
#include "check/judge/data.hpp"
#include "check/judge/finding.hpp"
#include "check/judge/promises.hpp"

namespace wgradcheck::check {

/// What one run shows.
struct Judgement {
  std::vector<Finding> findings;   ///< empty when all is well
  std::optional<double> rounding;  ///< on data whose sums round: the worst error over the error allowed
};

/// What one run shows, held against the formula, the rules and the promises: every buffer that changed and
/// should not have, the stray accesses, and the first wrong element of dW.
Judgement judge(const Case&, const Data&, const Promises&, const Outcome&, const Tensors&);

}  // namespace wgradcheck::check
