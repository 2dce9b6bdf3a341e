#include "check/remote/runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "check/kernel.hpp"
#include "check/report/files.hpp"
#include "check/search/generate.hpp"
#include "spec/problem_line.hpp"
#include "tests/check/scratch.hpp"

namespace wgradcheck::check {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Status = Outcome::Status;

/// Writes what dw_in.npy holds, so that dW stays as it was.
constexpr const char* kCopies = "for d in {cases}; do cp $d/dw_in.npy $d/dw.npy; done";
constexpr const char* kCopiesOne = "cp {case}/dw_in.npy {case}/dw.npy";
constexpr const char* kStays = "while read d; do cp $d/dw_in.npy $d/dw.npy; echo ok; done";

/// The first cases of a domain, all of them small.
std::vector<Case> some_cases(std::int64_t count) {
  Domain domain;
  domain.abi = find_abi("host_f32");
  domain.guarded = false;
  return nth_cases(cases(domain), 1, 0, count);
}

/// What a command made of cases.
std::vector<Outcome> outcomes(const std::string& command, const std::vector<Case>& cases,
                              const RunnerFile& can = {}, double deadline = 5) {
  const ScratchFolder scratch;
  const auto executor = runner_executor(
      {.command = command, .abi = find_abi("host_f32"), .can = can, .deadline = deadline}, scratch.path());
  std::vector<Outcome> all;
  executor->run(
      cases, [](std::size_t, const Tensors&) {},
      [&](std::size_t, const Tensors&, const Outcome& o) { all.push_back(o); });
  EXPECT_TRUE(fs::is_empty(scratch.path())) << "a case's folder is left";
  return all;
}

std::vector<Outcome> outcomes(const std::string& command, std::int64_t count, const RunnerFile& can = {},
                              double deadline = 5) {
  return outcomes(command, some_cases(count), can, deadline);
}

TEST(Runner, RunsEveryCaseInEachOfItsWays) {
  for (const char* command : {kCopies, kCopiesOne, kStays}) {
    const auto all = outcomes(command, 20);
    ASSERT_EQ(all.size(), 20U);
    for (const Outcome& o : all) EXPECT_EQ(o.status, Status::returned) << command << ": " << o.detail;
  }
}

TEST(Runner, AnEndInTheMiddleIsThatOfTheCaseThatHasNoDwAndTheRestAreRun) {
  // The third case of the first launch ends it; started anew, the rest are run.
  const Scratch folder;
  const std::string flag = folder.path() + "/ended";
  const std::string step = "n=$((n+1)); [ $n = 3 ] && [ ! -e " + flag + " ] && { touch " + flag +
                           "; echo gone >&2; kill -9 $$; }; cp $d/dw_in.npy $d/dw.npy";
  for (const std::string& command : {"n=0; for d in {cases}; do " + step + "; done",
                                     "n=0; while read d; do " + step + "; echo ok; done"}) {
    fs::remove(flag);
    const auto all = outcomes(command, 6);
    ASSERT_EQ(all.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(all[i].status, i == 2 ? Status::crashed : Status::returned) << i;
      EXPECT_EQ(all[i].code, i == 2 ? 9 : 0) << i;
    }
    EXPECT_EQ(all[2].said, "gone");
  }
}

TEST(Runner, ACaseThatHangsEndsAfterItsTimeWhateverTheCommandPrints) {
  for (const char* hang : {"sleep 100", "while :; do echo noise; done", "exec 1>&- 2>&-; sleep 100"})
    for (const std::string& command : {std::string(hang) + " # {case}", std::string(hang)}) {
      const auto start = std::chrono::steady_clock::now();
      EXPECT_EQ(outcomes(command, 1, {}, 0.2).front().status, Status::hung) << command;
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2)) << command;
    }
}

TEST(Runner, WhatACommandLeavesBehindHoldsNothingUp) {
  const auto start = std::chrono::steady_clock::now();
  const auto all = outcomes(std::string(kCopiesOne) + "; sleep 100 &", 3);
  for (const Outcome& o : all) EXPECT_EQ(o.status, Status::returned);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(Runner, AStatusOf77AndAnAnswerSkipSayThatACaseIsNotSupported) {
  for (const char* command : {"echo no 3D >&2; exit 77 # {case}", "while read d; do echo skip no 3D; done"}) {
    const Outcome o = outcomes(command, 1).front();
    EXPECT_EQ(o.status, Status::not_run);
    EXPECT_EQ(o.detail, "the runner does not support it: no 3D");
    EXPECT_FALSE(o.open);
  }
}

TEST(Runner, AFailureThatItReportsIsOne) {
  const Outcome o = outcomes("while read d; do echo fail out of DDR; done", 1).front();
  EXPECT_EQ(o.status, Status::unreadable);
  EXPECT_EQ(o.detail, "the runner reports a failure: out of DDR");
}

TEST(Runner, AnEndWithoutAnAnswerIsToldSo) {
  const Outcome o = outcomes("read d", 1).front();
  EXPECT_EQ(o.status, Status::exited);
  EXPECT_EQ(o.detail, "it ended without an answer");
}

TEST(Runner, ACommandThatIsNotThereIsBadInput) {
  for (const char* command : {"/no/such/program {case}", "/no/such/program"}) {
    try {
      outcomes(command, 1);
      FAIL() << command;
    } catch (const BadInput& bad) {
      EXPECT_THAT(bad.sentence, HasSubstr("--runner /no/such/program"));
      EXPECT_THAT(bad.sentence, HasSubstr("cannot be run"));
    }
  }
}

TEST(Runner, LaunchesAreCountedAndNoneIsMadeBeyondThem) {
  const Scratch folder;
  const std::string count = folder.path() + "/launches";
  for (const auto& [command, cases_a_launch] : {std::pair{kCopiesOne, 1}, {kCopies, 4}}) {
    fs::remove(count);
    const auto all =
        outcomes("echo >> " + count + "; " + command, 20, {.launches = 3, .cases_per_launch = 4});
    const auto ran = std::ranges::count(all, Status::returned, &Outcome::status);
    EXPECT_EQ(ran, 3 * cases_a_launch);
    EXPECT_EQ(fs::file_size(count), 3U);
    for (std::size_t i = static_cast<std::size_t>(ran); i < all.size(); ++i) EXPECT_TRUE(all[i].open);
  }
  // Of a command that stays cases are counted.
  const auto all = outcomes(kStays, 20, {.launches = 3});
  EXPECT_EQ(std::ranges::count(all, Status::returned, &Outcome::status), 3);
}

TEST(Runner, ACaseLargerThanItsMemoryIsNotRun) {
  RunnerFile small{.memory_bytes = 100}, narrow;
  narrow.memory_map["dy"] = {"0x86000000", 4};
  EXPECT_EQ(outcomes(kStays, 40, small).back().detail, "it is larger than the runner's 100 bytes");
  EXPECT_EQ(outcomes(kStays, 40, narrow).back().detail, "its dy is larger than the runner's 4 bytes for it");
}

TEST(Runner, ACaseLargerThanThisMachineCanMakeIsNotRun) {
  std::vector<Case> all = some_cases(3);
  all[1].shape = std::get<spec::Shape>(spec::parse_line("mb1000ic1000ih500oc1oh500kh1"));
  const auto became = outcomes(kStays, all);
  ASSERT_EQ(became.size(), 3U);
  EXPECT_EQ(became[1].status, Status::not_run);
  EXPECT_THAT(became[1].detail, HasSubstr("GiB, more than a quarter of this machine's memory"));
  EXPECT_EQ(became[2].status, Status::returned);
}

RunnerFile file_of(const std::string& text) {
  const Scratch folder;
  return read_runner_file(folder.write("runner.json", text));
}

TEST(RunnerFile, DeclaresWhatARunnerCanDo) {
  const RunnerFile can =
      file_of(R"({"launch_seconds": 2.5, "launches": 40, "cases_per_launch": 8, "repeats": false,)"
              R"( "memory_bytes": 1000, "memory_map": {"x": {"base": "0x8000", "bytes": 64}}})");
  EXPECT_EQ(can.launch_seconds, 2.5);
  EXPECT_EQ(can.launches, 40);
  EXPECT_EQ(can.cases_per_launch, 8);
  EXPECT_FALSE(can.repeats);
  EXPECT_EQ(can.memory_bytes, 1000);
  EXPECT_EQ(can.memory_map.at("x").base, "0x8000");
}

TEST(RunnerFile, RefusesWhatItDoesNotKnowByName) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      file_of(text);
    } catch (const BadInput& bad) {
      return bad.sentence;
    }
    return "";
  };
  EXPECT_THAT(refusal("[]"), HasSubstr("holds no JSON object"));
  EXPECT_THAT(refusal(R"({"launchs": 3})"), HasSubstr("field launchs is unknown; known are launch_seconds"));
  EXPECT_THAT(refusal(R"({"launches": 0})"), HasSubstr("field launches is 0, outside 1"));
  EXPECT_THAT(refusal(R"({"launches": 1.5})"), HasSubstr("field launches is no integer"));
  EXPECT_THAT(refusal(R"({"launch_seconds": -1})"), HasSubstr("field launch_seconds must be from 0"));
  EXPECT_THAT(refusal(R"({"repeats": 1})"), HasSubstr("field repeats has the wrong type"));
  EXPECT_THAT(refusal(R"({"memory_map": {"stack": {}}})"), HasSubstr("field stack is unknown"));
  EXPECT_THAT(refusal(R"({"memory_map": {"x": {"bytes": -1}}})"), HasSubstr("field bytes is -1"));
}

}  // namespace
}  // namespace wgradcheck::check
