#pragma once
#include <string>
#include <vector>

#include "check/judge/court.hpp"

namespace wgradcheck::check {

/// What must hold of a kernel before single products say what it computes: dW is bilinear in dy and x.
struct Relations {
  bool finite = true;       ///< where every number is 0, so is dW: no NaN and no Inf
  bool repeatable = true;   ///< the same call gives the same result, also after an unrelated call
  bool additive = true;     ///< results for the two parts of x add up to the result for x
  bool homogeneous = true;  ///< twice dy gives twice the result
};

/// Tests the relations on exact data with dW and bias 0. `unrelated` is a call made in between. What did not
/// return breaks no relation.
Relations relations_of(Court&, const Case&, const Case& unrelated);

/// A sentence for each relation that is broken.
std::vector<std::string> in_words(const Relations&);

}  // namespace wgradcheck::check
