#include "check/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/report/account.hpp"
#include "check/report/words.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kColumns = 80;

std::string shares(const Verdict& v) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : v.by_class)
    parts.push_back(fmt::format("{} {}%", name, percent(count, v.run)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string search_in_text(const Verdict& v) {
  std::string out = field("kernel", v.kernel + ", called as " + v.abi);
  out += field("domain", v.domain);
  out += field("promises", v.promises);
  out += field("runs", runs_in_words(v));
  if (v.refused)
    out += field("refusals", fmt::format("{} further calls with invalid parameters", grouped(v.refused)));
  if (v.run) out += field("sizes", v.largest);
  if (!v.workspace.empty()) out += field("memory", "workspace: " + v.workspace);
  if (v.run) out += field("classes", shares(v));
  if (v.rounding.worst >= 0) out += field("rounding", rounding_in_words(v));
  for (const auto& [why, count] : v.skipped_because)
    out += field("skipped", fmt::format("{}: {}", count, why));
  for (const std::string& name : v.neglected) out += field("neglected", name + ": under 2 % of the runs");
  for (const std::string& channel : v.channels_skipped) out += field("skipped", "channel " + channel);
  for (const std::string& what : v.unseen) out += field("unseen", what);
  for (const std::string& note : v.notes) out += field("note", note);
  if (v.answer == Verdict::Answer::pass)
    out += field("limits", limits_in_words(v.fresh_seed, v.channels_skipped));
  return out;
}

/// What answers that are not there yet are wanted for.
const char* what_further_says(const Verdict& v) {
  if (std::ranges::any_of(v.counterexamples, &Counterexample::open)) return "make this smaller";
  return v.counterexamples.empty() ? "complete this" : "say more of this";
}

Json json_of(const Counterexample& found, const Invocation& how) {
  const Account a = account_of(found, how);
  const Case& c = found.trial.test;
  Json one{{"property", a.property},
           {"shape", a.shape},
           {"dtype", dtype_name(c.dtype)},
           {"path", path_name(c)},
           {"cores", c.cores()},
           {"core_mask", c.core_mask},
           {"buffer", c.buffer},
           {"workspace", c.workspace},
           {"implementation", c.implementation},
           {"implementation_name", found.implementation},
           {"align", c.align},
           {"bias", bias_name(c.bias)},
           {"seed", c.seed},
           {"element", nullptr},
           {"got", nullptr},
           {"expected", nullptr},
           {"detail", a.detail},
           {"folder", found.folder},
           {"behaves_as", nullptr},
           {"fails_where", nullptr},
           {"passing_neighbours", found.neighbours},
           {"tools", Json::object()}};
  for (const ToolLine& tool : a.tools)
    one["tools"][tool.tool] = {{tool.line.empty() ? "why_not" : "line",  //
                                tool.line.empty() ? tool.why_not : tool.line}};
  if (const auto& e = found.finding.element) {
    one["element"] = {{"g", e->g}, {"co", e->co}, {"kd", e->kd}, {"kh", e->kh}, {"kw", e->kw}, {"ci", e->ci}};
    one["got"] = found.finding.got;
    one["expected"] = found.finding.expected;
  }
  if (!found.when.empty()) one["fails_where"] = found.when;
  if (found.diagnosis.slip) one["behaves_as"] = found.diagnosis.slip->id;
  one["replay"] = a.replay;
  return one;
}

}  // namespace

const char* name_of(Verdict::Answer answer) {
  constexpr const char* kNames[]{"pass", "fail", "none"};
  return kNames[static_cast<int>(answer)];
}

std::string headline(const Verdict& v) {
  const std::string runs = fmt::format("{} run{}", grouped(v.run), v.run == 1 ? "" : "s");
  switch (v.answer) {
    case Verdict::Answer::pass:
      return fmt::format("No counterexample in {}.", runs);
    case Verdict::Answer::fail:
      return fmt::format("{} counterexample{} in {}.", v.counterexamples.size(),
                         v.counterexamples.size() == 1 ? "" : "s", runs);
    case Verdict::Answer::none:
      if (v.open)
        return fmt::format("{} of {} cases have no answer.", grouped(v.open),
                           grouped(v.run + v.refused + v.skipped));
      return v.run ? "Too few runs in some classes of the domain." : "Nothing ran.";
  }
  return {};
}

std::string text_report(const Verdict& v, const Invocation& how) {
  std::string out = "\n";
  if (v.against && v.against->all.beyond)
    out += wrapped("DIFFERS  " + headline(*v.against), kColumns - 9, 9) + "\n\n";
  for (const Counterexample& found : v.counterexamples) out += in_text(account_of(found, how));
  if (v.answer == Verdict::Answer::pass) out += fmt::format("PASS  {}\n\n", headline(v));
  if (v.answer == Verdict::Answer::none) out += fmt::format("NO VERDICT  {}\n\n", headline(v));
  out += search_in_text(v);
  if (v.against) out += "\n" + text_of(*v.against, how);
  if (!v.counterexamples.empty())
    out +=
        field("further",
              fmt::format("--html draws this,{} --json and --html have it as benchdnn's, MIOpenDriver's and "
                          "CUTLASS's line",
                          v.counterexamples.front().trial.test.ascend ? "" : " --c is a C program of it,"));
  if (v.further)
    out += field("next", fmt::format("{} further case{} in {} would {}: run them, then verify again",
                                     grouped(v.further), v.further == 1 ? "" : "s", v.further_in,
                                     what_further_says(v)));
  out += "\n  replay:\n";
  for (const Counterexample& found : v.counterexamples)
    if (!how.whole) out += fmt::format("  {}\n", replay_command(how, found.trial));
  if (v.counterexamples.empty() || how.whole) out += fmt::format("  {}\n", last_command(v, how));
  return out;
}

Json json_report(const Verdict& v, const Invocation& how) {
  Json by_class = Json::object(), reasons = Json::object(), found = Json::array();
  for (const auto& [name, count] : v.by_class) by_class[name] = count;
  for (const auto& [why, count] : v.skipped_because) reasons[why] = count;
  for (const Counterexample& x : v.counterexamples) found.push_back(json_of(x, how));
  return {{"tool", "wgradcheck"},
          {"version", WGRADCHECK_VERSION},
          {"schema", kReportSchema},
          {"kernel", v.kernel},
          {"abi", v.abi},
          {"seed", v.seed},
          {"domain", v.domain},
          {"promises", v.promises},
          {"verdict", name_of(v.answer)},
          {"seconds", v.seconds},
          {"cases",
           {{"run", v.run},
            {"skipped", v.skipped},
            {"open", v.open},
            {"refused", v.refused},
            {"largest", v.largest},
            {"workspace", v.workspace},
            {"by_class", by_class},
            {"skipped_because", reasons}}},
          {"miss_below", v.fresh_seed ? Json(0x1p-60) : Json()},
          {"rounding_worst", v.rounding.worst >= 0 ? Json(v.rounding.worst) : Json()},
          {"neglected", v.neglected},
          {"channels_skipped", v.channels_skipped},
          {"unseen", v.unseen},
          {"notes", v.notes},
          {"counterexamples", found},
          {"further", {{"cases", v.further}, {"folder", v.further_in}}},
          {"against", v.against ? json_of(*v.against, how) : Json()},
          {"shard", nullptr},
          {"replay", last_command(v, how)}};
}

}  // namespace wgradcheck::check
