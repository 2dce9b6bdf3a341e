#pragma once
#include <functional>

#include "proofs/samples.hpp"

namespace wgradcheck::proofs {

/// Whether no values satisfy all of some facts; `what` is they show.
using Impossible = std::function<bool(const std::string& what, const std::vector<Fact>&)>;

/// An altered formula beside the one under proof.
struct Altered {
  std::string how;     ///< which operation is altered, in words
  bool equal = false;  ///< whether both are shown to yield the same wherever the assumptions hold
};

/// Compares the formula of a proved obligation with the one that an altered operation makes of it: what both
/// yield, and what both assume on their way. The claims, being proved, may be used.
Altered compare(const Obligation&, Site altered, const Impossible&);

}  // namespace wgradcheck::proofs
