#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Convert, WritesWhatAnyTesterTakesInTheWordsOfAnother) {
  const Ran line = run_program("convert 'MIOpenDriver convfp16 -n 4 -c 8 -H 14 -k 16 -F 4' --to line");
  EXPECT_EQ(line.status, 0);
  EXPECT_EQ(line.text, "mb4ic8ih14iw32oc16oh12ow30kh3kw3\n");
  const Ran cutlass = run_program("convert 'MIOpenDriver convfp16 -n 4 -c 8 -H 14 -k 16' --to cutlass");
  EXPECT_EQ(cutlass.status, 0);
  EXPECT_THAT(cutlass.text, HasSubstr("--Activation=f16:nhwc"));
  const Ran driver = run_program("convert ic4ih4oc4kh3 --to miopen --dtype bf16 --mb 7");
  EXPECT_THAT(driver.text, StartsWith("MIOpenDriver convbfp16 -n 7 -c 4 "));
}

TEST(Convert, SaysWhatAToolCannotBeToldAndCountsIt) {
  const std::string file = testing::TempDir() + "wgradcheck_convert_" + std::to_string(getpid());
  std::ofstream(file) << "ic4ih4oc4kh3\nMIOpenDriver conv -n 4 -g 3\ng2ic4ih4oc4kh3\n";
  const Ran ran = run_program("convert " + file + " --to cutlass");
  std::filesystem::remove(file);
  EXPECT_EQ(ran.status, 2) << ran.text;
  EXPECT_THAT(ran.text,
              HasSubstr(file + ":2: MIOpenDriver conv -n 4 -g 3: oc is 32, which g = 3 does not divide"));

  const Ran some = run_program("convert ic4ih4oc4kh3 g2ic4ih4oc4kh3 --to cutlass");
  EXPECT_EQ(some.status, 3) << some.text;
  EXPECT_THAT(some.text, HasSubstr("cutlass_profiler --operation=Conv2d"));
  EXPECT_THAT(some.text,
              HasSubstr("g2ic4ih4oc4kh3: CUTLASS cannot run it: its wgrad kernels take one group, not 2\n"));
  EXPECT_THAT(some.text, HasSubstr("wgradcheck: 1 of 2 problems skipped\n"));
}

TEST(Convert, ReadsStandardInput) {
  const Ran ran = run_program("convert - --to line < " + std::string(WGRADCHECK_SOURCE) + "/README.md");
  EXPECT_EQ(ran.status, 2) << ran.text;
  const Ran empty = run_program("convert - --to line < /dev/null");
  EXPECT_EQ(empty.status, 2);
  EXPECT_THAT(empty.text, EndsWith("- holds no problem\n"));
}

TEST(Convert, AShapeOfACheckMayBeACommand) {
  const Ran ran = run_program(
      "check mt7004_fp32_p --seed 1 --shape 'cutlass_profiler --operation=Conv2d --n=2 --h=5 --w=5 --c=4 "
      "--k=4'");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("up to mb2 g1 ic4 oc4 ih5 iw5 kh3 kw3"));
  const Ran wrong = run_program("check mt7004_fp32_p --shape 'MIOpenDriver conv -n 4 --heigth 3'");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.text, HasSubstr("--heigth is no flag of MIOpenDriver's conv"));
}

}  // namespace
}  // namespace wgradcheck
