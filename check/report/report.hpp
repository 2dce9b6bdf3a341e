#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "check/report/replay.hpp"
#include "check/report/verdict.hpp"

namespace wgradcheck::check {

/// Number of the JSON report's form, docs/report.schema.json. It grows with every field that comes, goes or
/// changes its type.
inline constexpr int kReportSchema = 1;

/// pass, fail or none.
const char* name_of(Verdict::Answer);

/// What the verdict says at its head, without its counterexamples: "No counterexample in 10,000 runs."
std::string headline(const Verdict&);

/// One screen of text, 80 columns; ends in a command that repeats it.
std::string text_report(const Verdict&, const Invocation&);

/// The verdict by stable names; ends in that command.
nlohmann::ordered_json json_report(const Verdict&, const Invocation&);

}  // namespace wgradcheck::check
