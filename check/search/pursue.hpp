#pragma once
#include <chrono>
#include <vector>

#include "check/report/verdict.hpp"
#include "check/search/domain.hpp"

namespace wgradcheck::check {

/// How far a failure is followed.
struct Pursuit {
  bool shrink = true;           ///< whether it is made smaller
  std::chrono::seconds time{};  ///< for shrinking, at most
  std::int64_t reserve = 0;     ///< launches that shrinking leaves for the diagnosis
  std::vector<Case> others;     ///< further cases of the domain, on which a diagnosis is tried
  std::vector<Case> spare;      ///< and those that tell apart the slips which explain all of them
};

/// What a trial showed.
struct Seen {
  const Finding& finding;
  const Outcome& outcome;
};

/// Repeats a failing trial, makes it smaller where it fails every time, and says what the kernel does there.
Counterexample pursue(Court&, const Domain&, const Trial&, const Seen&, const Pursuit&);

/// What to note of a failure that did not repeat and is not reported.
std::string in_passing(const Counterexample&);

}  // namespace wgradcheck::check
