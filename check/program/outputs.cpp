#include "check/program/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "check/program/commands.hpp"
#include "check/report/c_program.hpp"
#include "check/report/files.hpp"
#include "check/report/html.hpp"
#include "check/report/junit.hpp"
#include "check/report/merged.hpp"
#include "check/report/report.hpp"

namespace wgradcheck::check {
namespace {

/// An option that says where a report goes.
struct Output {
  const char* name;
  std::string Outputs::*file;
  const char* help;
};

constexpr std::array<Output, 5> kOutputs{{
    {"--json", &Outputs::json, "Write the verdict as JSON; - for standard output, here and below"},
    {"--junit", &Outputs::junit, "Write it as JUnit XML, one test case a property"},
    {"--html", &Outputs::html, "Write it as a page that draws each counterexample"},
    {"--c", &Outputs::c, "Write the first counterexample as a C program"},
    {"--save", &Outputs::save, "Folder for counterexamples, one file a property, for `replay`"},
}};

bool is_folder(const Output& output) { return output.file == &Outputs::save; }

}  // namespace

int status_of(const Verdict& v) {
  if (v.answer == Verdict::Answer::fail || (v.against && v.against->all.beyond)) return 1;
  return v.answer == Verdict::Answer::pass ? 0 : 3;
}

std::vector<Saved> counterexamples_of(const Checked& checked) {
  std::vector<Saved> all;
  for (const Counterexample& found : checked.verdict.counterexamples) {
    all.push_back(checked.saved);
    all.back().trial = found.trial;
    all.back().property = found.finding.property;
  }
  return all;
}

int give_out(const nlohmann::ordered_json& joined, const std::string& json) {
  if (json != "-") fmt::print("{}", text_of_report(joined));
  if (!json.empty()) write_file(json, joined.dump(2) + "\n");
  return joined.at("verdict") == "pass" ? 0 : joined.at("verdict") == "fail" ? 1 : 3;
}

nlohmann::ordered_json json_of(const Checked& checked) {
  nlohmann::ordered_json report = json_report(checked.verdict, checked.how);
  report["shard"] = checked.shard;
  return report;
}

void Outputs::add_to(CLI::App& command) {
  for (const Output& output : kOutputs)
    command.add_option(output.name, this->*output.file, output.help)
        ->type_name(is_folder(output) ? "FOLDER" : "FILE")
        ->check(has_a_name);
}

bool Outputs::names(const std::string& option) {
  return std::ranges::any_of(kOutputs, [&](const Output& output) { return option == output.name; });
}

bool Outputs::to_standard_output() const {
  return std::ranges::any_of(
      kOutputs, [this](const Output& output) { return !is_folder(output) && this->*output.file == "-"; });
}

const char* Outputs::other_than_json() const {
  const auto given = std::ranges::find_if(kOutputs, [this](const Output& output) {
    return output.file != &Outputs::json && !(this->*output.file).empty();
  });
  return given == kOutputs.end() ? nullptr : given->name;
}

void Outputs::require_writable() const {
  const char* standard = nullptr;
  for (const Output& output : kOutputs) {
    const std::string& file = this->*output.file;
    if (file.empty() || is_folder(output)) continue;
    if (file == "-" && standard)
      throw BadInput{
          fmt::format("{} and {} are both -; standard output holds one report", standard, output.name)};
    if (file == "-") standard = output.name;
    check::require_writable(file);
  }
  if (save.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(save, error);
  if (error) throw BadInput{fmt::format("--save {}: {}", save, error.message())};
  check::require_writable(save + "/formula.json");
}

void Outputs::write(const Checked& checked) const {
  const Verdict& v = checked.verdict;
  const Invocation& how = checked.how;
  if (!to_standard_output()) fmt::print("{}", text_report(v, how));
  using Json = nlohmann::ordered_json;
  if (!json.empty())
    write_file(json, json_of(checked).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  if (!junit.empty()) write_file(junit, junit_report(v, how));
  if (!html.empty()) write_file(html, html_report(v, how));
  if (!c.empty() && !v.counterexamples.empty())
    write_file(c, c_program(v.counterexamples.front(), checked.kernel, checked.promises, how));
  else if (!c.empty())
    fmt::print(stderr, "wgradcheck: --c {}: there is no counterexample to write\n", c);
  if (save.empty()) return;
  for (const Saved& s : counterexamples_of(checked))
    write_file(fmt::format("{}/{}.json", save, name_of(s.property)), to_text(s));
}

}  // namespace wgradcheck::check
