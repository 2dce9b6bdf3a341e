#pragma once
#include <string>

#include "check/report/replay.hpp"
#include "check/report/verdict.hpp"

namespace wgradcheck::check {

/// The verdict as one HTML5 page that is well-formed XML as well and needs nothing else: no script, no link.
/// It draws each counterexample.
std::string html_report(const Verdict&, const Invocation&);

}  // namespace wgradcheck::check
