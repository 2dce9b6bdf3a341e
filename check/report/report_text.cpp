#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/report/account.hpp"
#include "check/report/merged.hpp"
#include "check/report/words.hpp"

namespace wgradcheck::check {
namespace {

using Json = nlohmann::ordered_json;

std::string text(const Json& json) { return json.is_string() ? json.get<std::string>() : json.dump(); }

std::string runs(const Json& report) {
  const auto count = report.at("cases").at("run").get<std::int64_t>();
  return fmt::format("{} run{}", grouped(count), count == 1 ? "" : "s");
}

std::string headline(const Json& report) {
  const std::string verdict = report.at("verdict");
  const std::size_t found = report.at("counterexamples").size();
  if (verdict == "pass") return fmt::format("PASS  No counterexample in {}.", runs(report));
  if (verdict == "fail")
    return fmt::format("FAIL  {} counterexample{} in {}.", found, found == 1 ? "" : "s", runs(report));
  return fmt::format("NO VERDICT  No counterexample in {}, not all that a verdict needs.", runs(report));
}

std::string counterexample(const Json& c) {
  std::string out = field("fails", fmt::format("{}: {}", text(c.at("property")), text(c.at("detail"))));
  out += field("shape", text(c.at("shape")));
  for (const char* name : {"behaves_as", "fails_where"})
    if (!c.at(name).is_null()) out += field("", text(c.at(name)));
  return out + fmt::format("\n  {}\n\n", text(c.at("replay")));
}

std::string classes(const Json& cases) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : cases.at("by_class").items())
    parts.push_back(
        fmt::format("{} {}%", name, percent(count.get<std::int64_t>(), cases.at("run").get<std::int64_t>())));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string text_of_report(const Json& report) {
  const Json& cases = report.at("cases");
  std::string out = fmt::format("\n{}\n\n", headline(report));
  for (const Json& c : report.at("counterexamples")) out += counterexample(c);
  out += field("kernel", fmt::format("{}, called as {}", text(report.at("kernel")), text(report.at("abi"))));
  for (const char* name : {"domain", "promises"}) out += field(name, text(report.at(name)));
  out += field("runs", fmt::format("{}, seed {}", grouped(cases.at("run").get<std::int64_t>()),
                                   text(report.at("seed"))));
  if (const auto refused = cases.at("refused").get<std::int64_t>())
    out += field("refusals", fmt::format("{} further calls with invalid parameters", grouped(refused)));
  if (const std::string sizes = text(cases.at("largest")); !sizes.empty()) out += field("sizes", sizes);
  if (const std::string used = text(cases.at("workspace")); !used.empty())
    out += field("memory", "workspace: " + used);
  out += field("classes", classes(cases));
  for (const auto& [why, count] : cases.at("skipped_because").items())
    out += field("skipped", fmt::format("{}: {}", text(count), why));
  for (const auto& [label, name] : {std::pair{"neglected", "neglected"},
                                    {"skipped", "channels_skipped"},
                                    {"unseen", "unseen"},
                                    {"note", "notes"}})
    for (const Json& one : report.at(name)) out += field(label, text(one));
  if (report.at("verdict") == "pass")
    out += field("limits", limits_in_words(!report.at("miss_below").is_null(),
                                           report.at("channels_skipped").get<std::vector<std::string>>()));
  return out + fmt::format("\n  replay:\n  {}\n", text(report.at("replay")));
}

}  // namespace wgradcheck::check
