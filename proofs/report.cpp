#include "proofs/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace wgradcheck::proofs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kColumns = 80;
constexpr Verdict kVerdicts[] = {Verdict::proved, Verdict::refuted, Verdict::vacuous, Verdict::unknown};

/// Words in indented lines that end before the last column where their words allow it.
std::string wrapped(const std::string& words) {
  const std::string indent = "   ";
  std::string lines, line = indent;
  std::istringstream stream(words);
  for (std::string word; stream >> word;) {
    if (line != indent && line.size() + 1 + word.size() > kColumns) {
      lines += line + "\n";
      line = indent;
    }
    line.append(" ").append(word);
  }
  return lines + line + "\n";
}

/// The mutants of each formula by the name of the obligation or of the schedule that is about it.
std::map<std::string, Mutants> by_formula(std::span<const Result> results) {
  std::map<std::string, Mutants> all;
  for (const Result& r : results)
    all[r.of_one_text ? r.name.substr(0, r.name.rfind('.')) : r.name].merge(r.mutants);
  return all;
}

Verdict verdict_from(const std::string& word) {
  return *std::ranges::find(kVerdicts, word, [](Verdict v) { return to_string(v); });
}

Json to_json(const Result& r) {
  Json others = Json::array(), claims = Json::array();
  for (const auto& [name, core] : r.cores) claims.push_back({{"name", name}, {"rests_on", core}});
  for (const auto& [site, how] : r.mutants.others) others.push_back({{"site", site}, {"how", how}});
  return {
      {"name", r.name},
      {"sentence", r.sentence},
      {"expected", to_string(r.expected)},
      {"verdict", to_string(r.verdict)},
      {"seconds", r.seconds},
      {"altered_seconds", r.altered_seconds},
      {"witness", r.witness.empty() ? Json() : Json(r.witness)},
      {"detail", r.detail},
      {"mutants",
       {{"killed", r.mutants.refuted.size()},
        {"total", r.mutants.all.size()},
        {"all", r.mutants.all},
        {"refuted", r.mutants.refuted},
        {"apart", r.mutants.apart},
        {"equal", r.mutants.equal},
        {"others", others},
        {"of_one_text", r.of_one_text}}},
      {"lemmas", r.lemmas},
      {"claims", claims},
      {"idle", r.idle},
      {"second_solver",
       {{"asked", r.asked}, {"agreed", r.agreed}, {"unanswered", r.unanswered}, {"disputed", r.disputed}}}};
}

}  // namespace

std::string listing(std::span<const Subject> subjects) {
  std::string rows = "| Name | Verdict | What it says |\n|---|---|---|\n";
  for (const Subject& subject : subjects)
    for (const Obligation& o : subject.obligations)
      rows += fmt::format("| {}.{} | {} | {} |\n", subject.name, o.name, to_string(o.expected), o.sentence);
  return rows;
}

std::string text(const Result& r) {
  std::string text = fmt::format("{:<38} {:<8} {:>5.2f} s", r.name, to_string(r.verdict), r.seconds);
  if (const auto all = r.mutants.all.size(); all > 0)
    text += fmt::format("  mutants {}/{}", r.mutants.refuted.size(), all);
  if (r.asked > 0) text += fmt::format("  cvc5 {}/{}", r.agreed, r.asked);
  text.append("\n").append(wrapped(r.sentence));
  if (!r.witness.empty()) text += wrapped(fmt::format("but: {}", r.witness));
  if (r.verdict != r.expected)
    text += wrapped(fmt::format("EXPECTED {}: {}", to_string(r.expected), r.detail));
  if (!r.disputed.empty()) text += wrapped(fmt::format("DISPUTED by cvc5: {}", fmt::join(r.disputed, " ")));
  return text;
}

Score score_of(std::span<const Result> results) {
  Score score;
  for (const auto& [name, mutants] : by_formula(results)) {
    score.all += mutants.all.size();
    score.refuted += mutants.refuted.size();
    score.equal += static_cast<std::size_t>(std::ranges::count_if(
        mutants.equal, [&m = mutants](const Site site) { return !m.refuted.contains(site); }));
  }
  return score;
}

std::string rests(const Result& r) {
  std::set<std::string> all;
  for (const auto& [name, core] : r.cores) all.insert(core.begin(), core.end());
  for (const auto& [name, core] : r.cores) all.erase(name), all.erase("not " + name);
  std::string lines = all.empty() ? "" : wrapped(fmt::format("rests on: {}", fmt::join(all, "; ")));
  if (r.verdict == Verdict::refuted && all.empty()) lines = wrapped("rests on: the witness");
  if (!r.idle.empty())
    lines += wrapped(fmt::format("whatever the formula yields: {}", fmt::join(r.idle, "; ")));
  return lines;
}

std::string survivors(std::span<const Result> results) {
  std::string lines;
  for (const auto& [name, mutants] : by_formula(results))
    for (const auto& [site, how] : mutants.others)
      lines += fmt::format("{}: {}\n", name,
                           mutants.equal.contains(site)   ? "equal"
                           : mutants.apart.contains(site) ? "differs on a sample, where all claims hold"
                                                          : "not proved equal; no sample tells it apart") +
               wrapped(how);
  return lines;
}

std::string summary(std::span<const Result> results) {
  std::string counts;
  for (const Verdict verdict : kVerdicts)
    if (const auto count = std::ranges::count(results, verdict, &Result::verdict); count > 0)
      counts += fmt::format(" {} {},", count, to_string(verdict));
  const auto other = std::ranges::count_if(results, [](const Result& r) { return !r.as_expected(); });
  Result sum;
  for (const Result& r : results) {
    sum.seconds += r.seconds;
    sum.altered_seconds += r.altered_seconds;
    sum.asked += r.asked;
    sum.agreed += r.agreed;
    sum.unanswered.insert(sum.unanswered.end(), r.unanswered.begin(), r.unanswered.end());
  }
  std::string text =
      fmt::format("{} obligation{}:{} {} as expected; {:.1f} s, altered {:.1f} s.\n", results.size(),
                  results.size() == 1 ? "" : "s", counts, other == 0 ? "all" : fmt::format("{} not", other),
                  sum.seconds, sum.altered_seconds);
  if (const Score score = score_of(results); score.all > 0)
    text += fmt::format("Of {} altered formulas {} are equal, {} of the other {} were refuted.\n", score.all,
                        score.equal, score.refuted, score.all - score.equal);
  if (sum.asked > 0) text += fmt::format("Of {} queries cvc5 answers {} alike.\n", sum.asked, sum.agreed);
  for (const std::string& name : sum.unanswered) text += fmt::format("  no answer: {}\n", name);
  return text;
}

std::string json(std::span<const Result> results) {
  Json obligations = Json::array();
  for (const Result& r : results) obligations.push_back(to_json(r));
  return Json{{"obligations", obligations}}.dump(2) + "\n";
}

std::string to_line(const Result& result) { return to_json(result).dump(); }

Result from_line(const std::string& line) {
  const Json j = Json::parse(line);
  Result r;
  r.name = j.at("name");
  r.sentence = j.at("sentence");
  r.expected = verdict_from(j.at("expected"));
  r.verdict = verdict_from(j.at("verdict"));
  r.seconds = j.at("seconds");
  r.altered_seconds = j.at("altered_seconds");
  if (!j.at("witness").is_null()) r.witness = j.at("witness");
  r.detail = j.at("detail");
  const Json& mutants = j.at("mutants");
  const auto sites = [&mutants](const char* which) { return mutants.at(which).get<std::set<Site>>(); };
  r.mutants = {sites("all"), sites("refuted"), sites("apart"), sites("equal"), {}};
  for (const Json& other : mutants.at("others")) r.mutants.others[other.at("site")] = other.at("how");
  r.of_one_text = mutants.at("of_one_text");
  r.lemmas = j.at("lemmas").get<std::vector<std::string>>();
  r.idle = j.at("idle").get<std::vector<std::string>>();
  for (const Json& claim : j.at("claims"))
    r.cores.emplace_back(claim.at("name"), claim.at("rests_on").get<std::set<std::string>>());
  const Json& second = j.at("second_solver");
  r.asked = second.at("asked");
  r.agreed = second.at("agreed");
  r.unanswered = second.at("unanswered").get<std::vector<std::string>>();
  r.disputed = second.at("disputed").get<std::vector<std::string>>();
  return r;
}

}  // namespace wgradcheck::proofs
