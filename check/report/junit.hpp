#pragma once
#include <string>

#include "check/report/replay.hpp"
#include "check/report/verdict.hpp"

namespace wgradcheck::check {

/// The verdict as JUnit XML: one suite, one case a property. A counterexample is a failure, a channel that
/// was not judged is skipped, and where there is no verdict every other case is an error. Source: what
/// Jenkins' and GitLab's readers take.
std::string junit_report(const Verdict&, const Invocation&);

}  // namespace wgradcheck::check
