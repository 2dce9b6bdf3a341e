#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;

std::string fresh_folder(const std::string& name) {
  const std::string folder = testing::TempDir() + "wgradcheck_fuzz_" + name;
  std::filesystem::remove_all(folder);
  return folder;
}

TEST(Fuzz, FindsAWrongKernelAndSavesWhatReplays) {
  const std::string folder = fresh_folder("saved");
  const Ran ran =
      run_program("fuzz " + kernel("dilation_h_left_out.c") + " --seconds 5 --seed 1 --save " + folder);
  EXPECT_EQ(ran.status, 1) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("FAIL  formula"));
  EXPECT_THAT(ran.text, HasSubstr("dilation_h_ignored"));
  EXPECT_THAT(ran.text, HasSubstr("guided by what the kernel's code reached"));
  const Ran again = run_program("replay " + folder + "/formula.json");
  EXPECT_EQ(again.status, 1) << again.text;
  EXPECT_THAT(again.text, HasSubstr("FAIL  formula"));
}

TEST(Fuzz, PassesARightKernelAndKeepsACorpus) {
  const std::string folder = fresh_folder("corpus");
  const Ran ran = run_program("fuzz " + kernel("right.c") + " --seconds 2 --corpus " + folder);
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("PASS  No counterexample in"));
  EXPECT_GT(std::distance(std::filesystem::directory_iterator(folder), {}), 5);
}

TEST(Fuzz, SaysThatABundledTargetDoesNotGuideIt) {
  const Ran ran = run_program("fuzz mt7004_fp32_p --seconds 2");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("not guided"));
}

TEST(Fuzz, HandsOverRawParameters) {
  const Ran right = run_program("fuzz mt7004_fp32_p --raw --seconds 2 --json -");
  EXPECT_EQ(right.status, 0) << right.text;
  EXPECT_THAT(right.text, testing::Not(HasSubstr("\"refused\": 0,")));
  const Ran wrong =
      run_program("fuzz " + kernel("right.c") + " --raw --promise refuses=yes --seconds 5 --seed 1");
  EXPECT_EQ(wrong.status, 1) << wrong.text;
  EXPECT_THAT(wrong.text, HasSubstr("--param"));
}

TEST(Fuzz, FindsInSeveralProcesses) {
  const Ran ran = run_program("fuzz " + kernel("dilation_h_left_out.c") + " --seconds 3 --jobs 2 --seed 1");
  EXPECT_EQ(ran.status, 1) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("FAIL  formula"));
}

TEST(Fuzz, RefusesWhatMakesNoSense) {
  const auto refused = [](const std::string& words, const std::string& why) {
    const Ran ran = run_program("fuzz " + words);
    EXPECT_EQ(ran.status, 2) << ran.text;
    EXPECT_THAT(ran.text, HasSubstr(why));
  };
  refused("cpu_f32 --raw", "--raw: host_f32 takes no ConvParameter");
  refused(kernel("right.c") + " --raw", "promise refuses=yes");
  refused(kernel("right.c") + " --corpus " + kernel("right.c"), "--corpus");
  refused("mt7004_fp32_p --jobs 0", "--jobs");
  refused("mt7004_fp32_p --seconds 0", "--seconds");
}

}  // namespace
}  // namespace wgradcheck
