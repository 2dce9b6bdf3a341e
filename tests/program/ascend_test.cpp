#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kKernel = kernel("conv3d_backprop_filter.cpp");

/// The kernel with a mistake, checked.
Ran with_slip(const std::string& slip, const std::string& options = "") {
  return run_program("check " + kKernel + " --cflags -D" + slip + "=1 --seed 4 --cases 300 " + options);
}

TEST(Ascend, TheBundledKernelsAreRightInEveryClass) {
  for (const char* name : {"ascend_half", "ascend_bf16"}) {
    const Ran ran = run_program(std::string("check ") + name + " --cases 1000 --seed 3");
    EXPECT_EQ(ran.status, 0) << ran.text;
    EXPECT_THAT(ran.text, HasSubstr("No counterexample in 1,000 runs"));
    EXPECT_THAT(ran.text, HasSubstr("on 1 to 4 cores"));
    EXPECT_THAT(ran.text, HasSubstr("tail channels"));
    EXPECT_THAT(ran.text, HasSubstr("3D"));
  }
}

TEST(Ascend, AUsersKernelIsCompiledAgainstTheHeaderAndRight) {
  const Ran half = run_program("check " + kKernel + " --seed 3 --cases 400");
  EXPECT_EQ(half.status, 0) << half.text;
  EXPECT_THAT(half.text, HasSubstr("called as ascend_half"));
  EXPECT_THAT(half.text, Not(HasSubstr("accumulate")));
  const Ran bf16 = run_program("check " + kKernel + " --seed 3 --cases 400 --abi ascend_bf16 " +
                               "--cflags '-DTYPE=bfloat16_t -Dconv3d_backprop_filter=mine' --symbol mine");
  EXPECT_EQ(bf16.status, 0) << bf16.text;
}

/// A mistake, and words that the report has on it.
struct Mistake {
  const char* slip;
  std::vector<std::string> told;
};

class AscendMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(AscendMistakes, AreFoundAndNamed) {
  const Ran ran = with_slip(GetParam().slip);
  EXPECT_EQ(ran.status, 1) << ran.text;
  for (const std::string& words : GetParam().told) EXPECT_THAT(ran.text, HasSubstr(words));
}

INSTANTIATE_TEST_SUITE_P(
    All, AscendMistakes,
    testing::Values(
        Mistake{"DILATION_D_LEFT_OUT", {"FAIL  formula", "dilation_d_ignored", "It fails only where dd>0"}},
        Mistake{"START_ROW_LEFT_OUT", {"FAIL", "cut smaller"}},
        Mistake{"NOT_ARMED_AGAIN", {"FAIL  crash: it threw a C++ exception: Iterate: the block is over;"}},
        Mistake{"CHANNELS_NOT_PADDED", {"SetSingleShape: M is", "no positive multiple of 16"}},
        Mistake{"READS_ONE_ROW_MORE", {"FAIL  memory: read past the end of dy", "where", "would be"}}),
    [](const auto& tested) { return std::string(tested.param.slip); });

TEST(Ascend, AMistakeOfSeveralCoresIsFoundAndReplayed) {
  const Ran ran = with_slip("LAST_IMAGE_TWICE_ON_TWO_CORES");
  EXPECT_EQ(ran.status, 1) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("2 cores, singleCoreM 16"));
  EXPECT_THAT(ran.text, HasSubstr("--cores 2"));
  const auto at = ran.text.rfind(" check ");
  ASSERT_NE(at, std::string::npos);
  const Ran again = run_program(ran.text.substr(at + 1, ran.text.find('\n', at) - at - 1));
  EXPECT_EQ(again.status, 1) << again.text;
}

TEST(Ascend, WhatTheConventionCannotDoIsRefused) {
  const auto refused = [](const std::string& words, const std::string& sentence) {
    const Ran ran = run_program("check ascend_half " + words);
    EXPECT_EQ(ran.status, words.starts_with("--shape") ? 3 : 2) << ran.text;
    EXPECT_THAT(ran.text, HasSubstr(sentence));
  };
  refused("--shape g2ic4ih4oc4oh2kh3", "group is 2, not 1");
  refused("--shape ic4ih4oc4oh8kh3ph3", "skipped  4: ascend_half does not take it: padUp is 3, not under");
  refused("--threads 2", "--threads means nothing to the convention ascend_half");
  refused("--c out.c", "no C program calls a kernel as ascend_half");
  EXPECT_EQ(run_program("profile ascend_half").status, 2);
}

nlohmann::json plan(const std::string& line) {
  const Ran ran = run_program("plan " + line + " --target ascend --json -");
  EXPECT_EQ(ran.status, 0) << ran.text;
  return nlohmann::json::parse(ran.text);
}

TEST(Ascend, APlanHasTheFieldsByTheirNames) {
  const auto json = plan("mb1ic128id17ih257iw257oc128od17oh128ow128kd1kh3kw3sd1sh2sw2pd0ph0pw0");
  EXPECT_EQ(json["result"], 0);
  EXPECT_EQ(json["singleCoreM"], 128);
  EXPECT_EQ(json["singleCoreN"], 1152);
  EXPECT_EQ(json["singleCoreK"], 512);
  for (const char* field : {"baseM", "baseN", "baseK", "stepM", "stepN", "stepKa", "stepKb", "bl1Bound",
                            "iterateOrder", "al1Pbuffer", "cin1G", "padUp", "dilationD", "totalL1Size"})
    EXPECT_TRUE(json.contains(field)) << field;
  const Ran text =
      run_program("plan mb1ic128id17ih257iw257oc128od17oh128ow128kd1kh3kw3sd1sh2sw2 --target ascend");
  EXPECT_THAT(text.text, HasSubstr("singleCoreM 128, singleCoreN 1152, singleCoreK 512"));
}

TEST(Ascend, APlanSaysWhyThereIsNone) {
  const auto json = plan("ic4ih40oc4oh6kh35");
  EXPECT_EQ(json["result"], -1);
  EXPECT_EQ(json["refusal"], "wk is 35, over 32");
  EXPECT_FALSE(json.contains("baseM"));
  const auto warned = plan("ic4ih4iw9oc4oh4ow5kh3kw3ph1pw1");
  EXPECT_EQ(warned["result"], 0);
  EXPECT_THAT(warned["warning"].get<std::string>(), HasSubstr("wo is 5"));
  EXPECT_EQ(run_program("plan ic4ih4oc4oh2kh3 --target ascend --cores 2").status, 2);
}

TEST(Ascend, APlanEqualsEveryRowOfTheSharedTable) {
  const std::filesystem::path table = std::filesystem::path(WGRADCHECK_SHARED) / "cases/ascend_tiling.tsv";
  if (!std::filesystem::exists(table)) GTEST_SKIP() << "not run: " << table << " is not there";
  std::ifstream file(table);
  std::string header, text;
  std::getline(file, header);
  while (std::getline(file, text)) {
    std::istringstream names(header), numbers(text);
    std::map<std::string, std::string> of;
    for (std::string name; names >> name;) numbers >> of[name];
    std::string line = "mb" + of["n"] + "ic" + of["ci"] + "oc" + of["co"];
    for (const char* axis : {"d", "h", "w"}) {
      const std::string a = axis;
      line += "i" + a + of[a + "i"] + "o" + a + of[a + "o"] + "k" + a + of["k" + a] + "s" + a + of["s" + a] +
              "p" + a + "0";
    }
    const auto json = plan(line);
    for (const char* field : {"singleCoreM", "singleCoreN", "singleCoreK"})
      EXPECT_EQ(std::to_string(json[field].get<std::int64_t>()), of[field]) << line;
  }
}

}  // namespace
}  // namespace wgradcheck
