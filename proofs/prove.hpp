#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "proofs/judge.hpp"

namespace wgradcheck::proofs {

struct Options {
  std::string pattern;                      ///< obligations whose name contains it; * and ? as in file names
  std::filesystem::path smt2;               ///< folder that gets every query as SMT-LIB text; none when empty
  bool cvc5 = false;                        ///< whether cvc5 is asked every query too
  double seconds = 600;                     ///< that one subject may take before its process is killed
  std::function<void(const Result&)> done;  ///< told of each result as it comes
};

/// Tries the obligations that the pattern selects, in their order, each subject in a process of its own. What
/// a process that is killed or crashes has not answered is unknown. Empty when the pattern selects nothing.
/// Throws std::system_error where processes or the folder cannot be had.
std::vector<Result> prove(const std::vector<Subject>&, const Options&);

/// Whether the pattern selects an obligation.
bool matches_any(const std::vector<Subject>&, const std::string& pattern);

/// Exit status of a run: 0 every verdict as expected, 1 some verdict not or disputed by the second
/// solver, 2 nothing selected, 3 some unknown and nothing worse.
int status_of(const std::vector<Result>&);

}  // namespace wgradcheck::proofs
