#include "proofs/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
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

Verdict verdict_from(const std::string& word) {
  return *std::ranges::find(kVerdicts, word, [](Verdict v) { return to_string(v); });
}

Json to_json(const Result& r) {
  return {{"name", r.name},
          {"sentence", r.sentence},
          {"expected", to_string(r.expected)},
          {"verdict", to_string(r.verdict)},
          {"seconds", r.seconds},
          {"witness", r.witness.empty() ? Json() : Json(r.witness)},
          {"detail", r.detail},
          {"mutants", {{"killed", r.killed}, {"total", r.mutants}}},
          {"lemmas", r.lemmas}};
}

}  // namespace

std::string text(const Result& r) {
  const std::string mutants = r.mutants == 0 ? "" : fmt::format("mutants {}/{}", r.killed, r.mutants);
  std::string text =
      fmt::format("{:<42} {:<8} {:>6.2f} s  {}", r.name, to_string(r.verdict), r.seconds, mutants);
  text.erase(text.find_last_not_of(' ') + 1);
  text.append("\n").append(wrapped(r.sentence));
  if (r.verdict != r.expected)
    text += wrapped(fmt::format("EXPECTED {}: {}", to_string(r.expected), r.detail));
  if (!r.witness.empty()) text += wrapped(fmt::format("but: {}", r.witness));
  return text;
}

std::string summary(std::span<const Result> results) {
  std::string text = fmt::format("{} obligations:", results.size());
  const char* before = " ";
  for (const Verdict verdict : kVerdicts) {
    const auto count = std::ranges::count(results, verdict, &Result::verdict);
    if (count == 0) continue;
    text += fmt::format("{}{} {}", before, count, to_string(verdict));
    before = ", ";
  }
  const auto other = std::ranges::count_if(results, [](const Result& r) { return r.verdict != r.expected; });
  text += other == 0 ? ", all as expected" : fmt::format(", {} not as expected", other);
  double seconds = 0;
  int killed = 0, mutants = 0;
  for (const Result& r : results) {
    seconds += r.seconds;
    killed += r.killed;
    mutants += r.mutants;
  }
  return text + fmt::format("; {:.1f} s.\n", seconds) +
         fmt::format("{} of {} altered formulas were refuted.\n", killed, mutants);
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
  if (!j.at("witness").is_null()) r.witness = j.at("witness");
  r.detail = j.at("detail");
  r.killed = j.at("mutants").at("killed");
  r.mutants = j.at("mutants").at("total");
  r.lemmas = j.at("lemmas").get<std::vector<std::string>>();
  return r;
}

}  // namespace wgradcheck::proofs
