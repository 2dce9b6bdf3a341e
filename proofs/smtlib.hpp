#pragma once
#include <span>
#include <string>

#include "proofs/statement.hpp"

namespace wgradcheck::proofs {

/// How a query speaks of a product of unknowns: as an unknown of its own, which leaves a linear query and
/// needs lemmas, or as a product.
enum class Products { named, multiplied };

/// A question to a solver.
struct Query {
  std::string script;               ///< SMT-LIB text, what both solvers read
  std::vector<std::string> labels;  ///< what each assertion of the script is, in order
};

/// Asks whether all facts can hold at once, the meanings of their atoms added. The heading becomes a comment.
Query smtlib(std::span<const Fact> facts, Products products, const std::string& heading);

}  // namespace wgradcheck::proofs
