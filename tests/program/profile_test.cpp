#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Profile, OfABundledTargetFitsAScreenAndSaysWhereItWasLearnt) {
  const std::string file = temporary("bundled.json");
  const Ran ran = run_program("profile mt7004_fp32_p --json " + file);
  EXPECT_EQ(ran.status, 0) << ran.text;
  const std::string words = std::regex_replace(ran.text, std::regex("\\s+"), " ");
  EXPECT_THAT(words, HasSubstr("acc=f32 rounding=nearest algorithm=direct height=sequential splits=1"));
  EXPECT_THAT(words, HasSubstr("proved of none. The promises were then kept in"));
  std::istringstream lines(ran.text);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_LE(count, 40);
  const auto json = json_of(file);
  ASSERT_EQ(json["paths"].size(), 3U);
  for (const auto& path : json["paths"]) {
    for (const auto& [name, fact] : path["facts"].items()) EXPECT_FALSE(fact["shapes"].empty()) << name;
    EXPECT_GE(path["trees"].size(), 7U);
    EXPECT_THAT(path["trees"][1]["tree"].get<std::string>(), HasSubstr("(((w+0)+1)+2)"));
  }
}

TEST(Profile, WritesPromisesThatTheKernelKeepsAndAWorseOneBreaks) {
  const std::string file = temporary("pairwise");
  const std::string summed = kernel("summed.c"), promises = " --promises " + file;
  const Ran ran = run_program("profile " + summed + " --cflags -DPAIRWISE" + promises);
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(text_of(file), HasSubstr("\nheight=pairwise\n"));
  const Ran kept = run_program("check " + summed + " --cflags -DPAIRWISE --cases 1500 --seed 1" + promises);
  EXPECT_EQ(kept.status, 0) << kept.text;
  EXPECT_THAT(kept.text, HasSubstr("height=pairwise"));
  const Ran broken = run_program("check " + summed + " --cases 1500 --seed 1" + promises);
  EXPECT_EQ(broken.status, 1) << broken.text;
  EXPECT_THAT(broken.text, HasSubstr("where the promised accumulation allows"));
  // The command that the report ends in shows it again.
  std::string command = broken.text.substr(broken.text.rfind("./wgradcheck ") + 13);
  const Ran again = run_program(command.substr(0, command.find('\n')));
  EXPECT_EQ(again.status, 1) << again.text;
  EXPECT_THAT(again.text, HasSubstr("FAIL  rounding"));
}

TEST(Profile, AnExplicitPromiseReplacesOneOfAFile) {
  const std::string file = temporary("replaced");
  std::ofstream(file) << "# of old\nacc=f16  # narrow\nrepeat=bits\n";
  const Ran ran =
      run_program("check " + kernel("right.c") + " --cases 200 --promises " + file + " --promise acc=f32");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("promises acc=f32 dw=add repeat=bits"));
}

TEST(Profile, OfAKernelThatNeverReturnsIsNone) {
  const std::string source = temporary("aborts.c");
  std::ofstream(source) << "#include <stdlib.h>\nvoid fp_conv_grad_filter_p(float* dy, float* x, float* dw, "
                           "float* bias, ConvParameter* p) { abort(); }\n";
  const Ran ran = run_program("profile " + source);
  EXPECT_EQ(ran.status, 3) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("not clear"));
  EXPECT_THAT(ran.text, Not(HasSubstr("height=")));
}

}  // namespace
}  // namespace wgradcheck
