#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/optional.hpp"
#include "tests/program/runners.hpp"

namespace wgradcheck {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// `check` of a command with what comes before it and after it.
Ran check(const std::string& before, const std::string& command, const std::string& options) {
  return run_program("check --runner '" + before + " " + command + "' --seed 3 " + options);
}

/// A way in which a runner is started, as the end of its command.
class Ways : public testing::TestWithParam<const char*> {
 protected:
  Ran run(const std::string& before, const std::string& options) {
    return check(before, folder_kernel() + GetParam(), options);
  }
};

TEST_P(Ways, ARightKernelPassesAndWhatWasNotSeenIsSaid) {
  const Ran ran = run("", "--cases 100");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("No counterexample in 100 runs."));
  EXPECT_THAT(ran.text, HasSubstr("skipped  channel memory"));
  EXPECT_THAT(ran.text, HasSubstr("unseen   memory: stray reads and writes"));
  EXPECT_THAT(ran.text, HasSubstr("unseen   rules: whether dy, x, bias"));
}

TEST_P(Ways, AWrongKernelIsFoundShrunkAndNamedAndTheCommandShowsItAgain) {
  const Ran ran = run("WRONG=dilation_h", "--cases 100");
  EXPECT_EQ(ran.status, 1) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("FAIL  formula"));
  EXPECT_THAT(ran.text, HasSubstr("mb1ic1ih2iw1oc1oh1ow1kh2kw1dh1\n"));
  EXPECT_THAT(ran.text, HasSubstr("(dilation_h_ignored;"));
  EXPECT_THAT(ran.text, HasSubstr("smaller neighbours"));
  std::smatch replay;
  ASSERT_TRUE(std::regex_search(ran.text, replay, std::regex("replay:\n +./wgradcheck (.*)\n"))) << ran.text;
  const Ran again = run_program(replay[1]);
  EXPECT_EQ(again.status, 1) << again.text;
  EXPECT_THAT(again.text, HasSubstr("(dilation_h_ignored;"));
  EXPECT_THAT(again.text, HasSubstr(replay[1]));
}

INSTANTIATE_TEST_SUITE_P(Runner, Ways, testing::Values(" {case}", " {cases}", ""), [](const auto& way) {
  return std::string(way.index == 0 ? "OneCase" : way.index == 1 ? "SeveralCases" : "Stays");
});

/// What a runner does instead, and what is said of it.
struct Misdeed {
  const char* name;
  const char* says;
};

class Misbehaviour : public testing::TestWithParam<Misdeed> {};

TEST_P(Misbehaviour, IsAVerdictWithALeastCase) {
  for (const char* way : {" {cases}", ""}) {
    const Ran ran =
        check(std::string("MISBEHAVE=") + GetParam().name, folder_kernel() + way, "--cases 20 --timeout 0.3");
    EXPECT_EQ(ran.status, 1) << ran.text;
    EXPECT_THAT(ran.text, HasSubstr(GetParam().says));
    EXPECT_THAT(ran.text, HasSubstr("shape    mb1ic1iw1oc1ow1kw2\n"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Runner, Misbehaviour,
    testing::Values(Misdeed{"crash", "FAIL  crash: ended by signal 11"},
                    Misdeed{"exit", "FAIL  crash: ended its process with status 3; it said"},
                    Misdeed{"hang", "FAIL  hang: did not return within the 0.3 s that a case may take"},
                    Misdeed{"nothing", "FAIL  rules: dw.npy is missing"},
                    Misdeed{"type", "FAIL  rules: dw.npy holds elements of type <i4, not <f4"},
                    Misdeed{"shape", "FAIL  rules: dw.npy has the shape (2), not (1, 1, 1, 1, 2, 1)"},
                    Misdeed{"short", "FAIL  rules: dw.npy holds 7 bytes, but its shape says 8"},
                    Misdeed{"fortran", "FAIL  rules: dw.npy is in Fortran order"},
                    Misdeed{"link", "FAIL  rules: dw.npy is no regular file"},
                    Misdeed{"nan", "FAIL  formula: 2 of 2 elements of dW are wrong; all are NaN"}),
    [](const auto& param) { return param.param.name; });

TEST(RunnerProgram, WhatItPrintsAndDoesNotSupportIsNoFailure) {
  for (const char* way : {" {case}", ""}) {
    EXPECT_EQ(check("MISBEHAVE=flood", folder_kernel() + way, "--cases 6").status, 0);
    EXPECT_EQ(check("MISBEHAVE=chatter", folder_kernel() + way, "--cases 20").status, 0);
    const Ran ran = check("MISBEHAVE=skip", folder_kernel() + way, "--cases 40");
    EXPECT_EQ(ran.status, 0) << ran.text;
    EXPECT_THAT(ran.text, HasSubstr("the runner does not support it"));
  }
}

TEST(RunnerProgram, NoMoreLaunchesAreMadeThanAllowedAndAFailureIsYetShrunk) {
  const std::string count = temporary("count");
  for (const auto& [way, launches] : {std::pair{" {case}", 120}, {" {cases}", 20}, {"", 150}}) {
    fs::remove(count);
    const Ran ran = check("COUNT=" + count + " WRONG=dilation_h", folder_kernel() + way,
                          "--launches " + std::to_string(launches));
    EXPECT_EQ(ran.status, 1) << ran.text;
    EXPECT_LE(fs::file_size(count), static_cast<std::uintmax_t>(launches)) << way;
    EXPECT_THAT(ran.text, HasSubstr("mb1ic1ih2iw1oc1oh1ow1kh2kw1dh1\n")) << way;
    EXPECT_THAT(ran.text, HasSubstr("(dilation_h_ignored;")) << way;
  }
  for (const int launches : {1, 2, 5}) {
    fs::remove(count);
    const Ran ran =
        check("COUNT=" + count, folder_kernel() + " {case}", "--launches " + std::to_string(launches));
    EXPECT_EQ(ran.status, 0) << ran.text;
    EXPECT_LE(fs::file_size(count), static_cast<std::uintmax_t>(launches));
  }
}

TEST(RunnerProgram, ItsFileSaysThatNoCallIsMadeTwice) {
  const std::string file = file_of("once.json", R"({"repeats": false})");
  const Ran ran = check("WRONG=dilation_h", folder_kernel() + " {cases}", "--cases 60 --runner-file " + file);
  EXPECT_EQ(ran.status, 1) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("dilation_h_ignored"));
  EXPECT_THAT(ran.text, HasSubstr("unseen   rules: whether the same call gives the same bits again"));
}

TEST(RunnerProgram, ACounterexampleIsSavedAndReplayedFromAnotherFolder) {
  const std::string folder = temporary("saved");
  const Ran ran = check("WRONG=dilation_h", folder_kernel(),
                        "--cases 60 --save " + folder + " --json " + temporary("runner.json"));
  EXPECT_EQ(ran.status, 1) << ran.text;
  const Ran again = run_program("replay " + folder + "/formula.json");
  EXPECT_EQ(again.status, 1) << again.text;
  EXPECT_THAT(again.text, HasSubstr("dilation_h_ignored"));
  const auto json = json_of(temporary("runner.json"));
  EXPECT_EQ(json["verdict"], "fail");
  EXPECT_EQ(json["counterexamples"][0]["behaves_as"], "dilation_h_ignored");
  EXPECT_EQ(json["unseen"].size(), 2U);
}

TEST(RunnerProgram, AnInterruptEndsWhatTheCommandStarted) {
  const std::string file = temporary("pid");
  const std::string command = "timeout -s INT 1 " + std::string(WGRADCHECK_BUILD) +
                              "/wgradcheck check --runner 'sleep 300 & echo $! > " + file +
                              "; wait; true {case}' --seed 1 > /dev/null";
  EXPECT_NE(std::system(command.c_str()), 0);
  pid_t pid = 0;
  std::ifstream(file) >> pid;
  ASSERT_GT(pid, 0);
  // Whoever adopted it may not have reaped it yet.
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state = "gone";
  status >> number >> name >> state;
  EXPECT_TRUE(state == "gone" || state == "Z") << state;
}

TEST(RunnerProgram, OptionsThatMeanNothingAreRefused) {
  const auto refusal = [](const std::string& words) {
    const Ran ran = run_program("check " + words);
    EXPECT_EQ(ran.status, 2) << ran.text;
    return ran.text;
  };
  EXPECT_THAT(refusal(""), HasSubstr("no kernel is named"));
  EXPECT_THAT(refusal("k.c --runner true"), HasSubstr("k.c and --runner are both given"));
  EXPECT_THAT(refusal("--runner true --cc gcc"), HasSubstr("--cc means nothing to a runner"));
  EXPECT_THAT(refusal("--runner true --abi what"), HasSubstr("--abi what is not a calling convention"));
  EXPECT_THAT(refusal("plain_fp32_p --launches 3"), HasSubstr("--launches means nothing without --runner"));
  EXPECT_THAT(refusal("--runner true --launches 0"), HasSubstr("--launches"));
  EXPECT_THAT(refusal("--runner true --runner-file /no/such"), HasSubstr("cannot read /no/such"));
  EXPECT_THAT(refusal("--runner /no/such/thing"), HasSubstr("it cannot be run"));
}

TEST(RunnerProgram, ANumpyKernelIsCheckedAndAWrongOneNamed) {
  if (!python_has("numpy")) {
    if (tests::in_ci()) FAIL() << "python3-numpy is not installed here";
    GTEST_SKIP() << "python3-numpy is not installed here";
  }
  const std::string numpy = "/usr/bin/python3 " + runner_source("numpy_kernel.py");
  for (const char* abi : {"host_f32", "host_f16", "host_bf16", "mt7004_fp32_s"}) {
    const Ran ran = check("", numpy, std::string("--cases 150 --abi ") + abi);
    EXPECT_EQ(ran.status, 0) << ran.text;
  }
  for (const char* way : {"", " {cases}"}) {
    const Ran ran = check("WRONG=dilation_h", numpy + way, "--cases 48");
    EXPECT_EQ(ran.status, 1) << ran.text;
    EXPECT_THAT(ran.text, HasSubstr("(dilation_h_ignored;"));
  }
}

TEST(RunnerProgram, PyTorchPasses) {
  if (!python_has("torch")) GTEST_SKIP() << "python3-torch is not installed here";
  const Ran ran =
      check("", "/usr/bin/python3 " + runner_source("torch_kernel.py"), "--abi mt7004_fp32_p --cases 150");
  EXPECT_EQ(ran.status, 0) << ran.text;
}

}  // namespace
}  // namespace wgradcheck
