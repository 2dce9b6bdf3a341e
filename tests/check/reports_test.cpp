#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "check/report/plan.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

/// One row of tests/cases/reports_lines.tsv: a problem line of a public report of a wrong kernel.
struct Row {
  std::string id, line, answer, reason;
};

std::vector<std::vector<std::string>> read_tsv(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  for (std::getline(in, line); std::getline(in, line);) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, '\t');) rows.back().push_back(field);
  }
  return rows;
}

std::vector<Row> reports() {
  std::vector<Row> rows;
  for (const auto& r : read_tsv(std::filesystem::path(WGRADCHECK_SOURCE) / "tests/cases/reports_lines.tsv"))
    rows.push_back({r.at(0), r.at(1), r.at(2), r.at(3)});
  return rows;
}

/// What the program makes of a line: the path and the warnings, or why it is refused.
Row planned(const std::string& id, const std::string& line) {
  const auto parsed = spec::parse_line(line);
  if (const auto* refusal = std::get_if<spec::Refusal>(&parsed))
    return {id, line, "refused", refusal->reason};
  const LinePlan plan = plan_line(line, {});
  if (plan.refusal) return {id, line, "refused", plan.refusal->field + " " + plan.refusal->reason};
  std::vector<std::string> words{json_of(plan)["path"]};
  for (const Warning& w : plan.warnings) words.push_back(w.id);
  return {id, line, "accepted", fmt::format("{}", fmt::join(words, ", "))};
}

TEST(Reports, EveryLineIsPlannedAsListed) {
  const auto rows = reports();
  EXPECT_EQ(rows.size(), 76U);
  for (const Row& row : rows) {
    const Row now = planned(row.id, row.line);
    EXPECT_EQ(now.answer + "\t" + now.reason, row.answer + "\t" + row.reason) << row.id << "\t" << row.line;
  }
}

TEST(Reports, AStrideThatLeavesPaddingAfterTheInputIsAccepted) {
  const LinePlan plan = plan_line("g1mb1ic1ih4oc1oh1kh3sh2ph0dh1", {});
  EXPECT_FALSE(plan.refusal);
  EXPECT_EQ(spec::pad_after(plan.shape.height), 1);
}

TEST(Reports, TheListHoldsEveryCompleteLine) {
  const auto path = std::filesystem::path(WGRADCHECK_SHARED) / "cases/reports.tsv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const std::regex line("(?:(?:g|mb|[iokspd][dhw]|[io]c)[0-9]+){2,}");
  const std::regex complete("(?=.*ic)(?=.*oc)(?:(?=.*id)(?=.*kd)|(?=.*ih)(?=.*kh)|(?=.*iw)(?=.*kw)).*");
  std::vector<std::string> expected, listed;
  for (const auto& row : read_tsv(path))
    for (std::sregex_iterator it(row.at(2).begin(), row.at(2).end(), line), end; it != end; ++it)
      if (const std::string found = it->str(); std::regex_match(found, complete))
        expected.push_back(row.at(0) + " " + found);
  for (const Row& row : reports()) listed.push_back(row.id + " " + row.line);
  EXPECT_EQ(listed, expected);
}

}  // namespace
}  // namespace wgradcheck::check
