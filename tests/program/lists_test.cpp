#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "spec/problem_line.hpp"
#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Whether a 2D convention can run the shape here: under 2e10 products and 2 GiB of float tensors.
bool runs_here(const spec::Shape& s) {
  const std::int64_t elements = spec::x_elems(s) + spec::dy_elems(s) + spec::dw_elems(s);
  return s.depth == spec::kNoAxis && static_cast<double>(spec::products(s)) < 2e10 &&
         elements * 4 < std::int64_t{2} << 30;
}

TEST(Lists, TheLinesOfPublicReportsRunRightOnTheBundledTarget) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "takes too long in a sanitized program";
#endif
  std::ifstream reports(std::string(WGRADCHECK_SOURCE) + "/tests/cases/reports_lines.tsv");
  const std::string file = temporary("lines");
  std::ofstream lines(file);
  int count = 0;
  std::string row;
  std::getline(reports, row);
  while (std::getline(reports, row)) {
    std::istringstream fields(row);
    std::string id, line;
    std::getline(fields, id, '\t');
    std::getline(fields, line, '\t');
    const auto parsed = spec::parse_line(line);
    if (const auto* shape = std::get_if<spec::Shape>(&parsed); shape && runs_here(*shape)) {
      lines << line << '\n';
      ++count;
    }
  }
  lines.close();
  ASSERT_GT(count, 50);
  const Ran ran = run_program("check mt7004_fp32_p --shapes " + file);
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("No counterexample in " + std::to_string(count) + " runs"));
}

class Networks : public testing::TestWithParam<const char*> {};

TEST_P(Networks, RunRightOnTheBundledTargetWithNoneSkipped) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "takes too long in a sanitized program";
#endif
  const std::string file = std::string(WGRADCHECK_SHARED) + "/cases/benchdnn/" + GetParam();
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  const Ran ran = run_program("check mt7004_fp32_p --mb 2 --shapes " + file);
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("No counterexample"));
  EXPECT_THAT(ran.text, Not(HasSubstr("skipped")));
}

INSTANTIATE_TEST_SUITE_P(Lists, Networks, testing::Values("shapes_resnet_50", "shapes_mobilenet"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace wgradcheck
