#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/optional.hpp"
#include "tests/program/program.hpp"
#include "tests/structure/shell.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

/// The program as two ranks of mpirun, in a build that has MPI.
class Ranks : public testing::Test {
 protected:
  void SetUp() override {
    WGRADCHECK_NEEDS("mpirun");
    const bool built = std::filesystem::exists(std::string(WGRADCHECK_BUILD) + "/libwgradcheck_mpi.so");
    ASSERT_TRUE(built || !tests::in_ci()) << "built without libopenmpi-dev";
    if (!built) GTEST_SKIP() << "built without libopenmpi-dev";
  }

  static tests::Ran ranks(const std::string& words, const std::string& options = "") {
    // What MPI leaves unfreed is not the program's.
    return tests::sh("export XDG_CACHE_HOME=/dev/null ASAN_OPTIONS=detect_leaks=0 MARK=" + temporary("mark") +
                     "; rm -f $MARK; mpirun --allow-run-as-root --oversubscribe -np 2 " + options + " " +
                     WGRADCHECK_BUILD + "/wgradcheck " + words);
  }

  /// Checks the kernel that does what it is asked by one rank, 20 cases each; the report is `report()`.
  static tests::Ran by_rank(const std::string& what, const std::string& words, const std::string& options) {
    return ranks(
        "check " + kernel("by_rank.c") + " --seed 5 --timeout 60 --json " + report_file() + " " + words,
        "-x BY_RANK=" + what + " -x MARK " + options);
  }
  static std::string report_file() { return temporary("report.json"); }
  static Json report() { return json_of(report_file()); }
};

TEST_F(Ranks, TogetherRunWhatOneRunDoes) {
  const std::string run = "check mt7004_fp32_p --cases 1100 --seed 5 --json ",
                    whole = temporary("whole.json");
  ASSERT_EQ(run_program(run + whole).status, 0);
  const auto ran = ranks(run + report_file());
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("PASS  No counterexample in 1,100 runs."));
  Json one = json_of(whole), two = report();
  for (Json* each : {&one, &two}) each->erase("seconds");
  EXPECT_EQ(two, one);
}

TEST_F(Ranks, ShareASeedThatNobodyChose) {
  const auto ran = ranks("check mt7004_fp32_p --cases 40 --json " + report_file());
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_EQ(report().at("cases").at("run"), 40);
  EXPECT_EQ(report().at("miss_below"), 0x1p-60);
}

TEST_F(Ranks, FindWhatOneRunFinds) {
  const auto ran = ranks("check " + kernel("dilation_h_left_out.c") + " --cases 400 --seed 5");
  EXPECT_EQ(ran.status, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("FAIL  1 counterexample in 400 runs."));
  EXPECT_THAT(ran.output, HasSubstr("dilation_h_ignored"));
}

TEST_F(Ranks, EndAtTheFirstCounterexampleOfOne) {
  // Alone rank 1 would take an hour.
  const auto ran = by_rank("wrong", "--cases 1000000000 --stop-at-first", "");
  EXPECT_EQ(ran.status, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("FAIL  1 counterexample in "));
  const Json cases = report().at("cases");
  EXPECT_EQ(cases.at("skipped_because").at("the search was stopped before it"), cases.at("skipped"));
  EXPECT_EQ(cases.at("run").get<std::int64_t>() + cases.at("skipped").get<std::int64_t>(), 1000000000);
}

TEST_F(Ranks, GoOnWhereTheWorkOfOneIsKilled) {
  const auto ran = by_rank("work", "--cases 40", "");
  EXPECT_EQ(ran.status, 3) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("NO VERDICT"));
  EXPECT_THAT(ran.output, HasSubstr("20: rank 1 was killed by signal 9"));
  EXPECT_EQ(report().at("verdict"), "none");
  EXPECT_EQ(report().at("cases").at("run"), 20);
  EXPECT_EQ(report().at("cases").at("skipped"), 20);
}

TEST_F(Ranks, SayWhatIsKnownWhereOneIsKilledAndMpirunEndsAll) {
  const auto ran = by_rank("rank", "--cases 40", "--mca odls_base_sigkill_timeout 5");
  EXPECT_NE(ran.status, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("20: rank 1 did not answer"));
  EXPECT_EQ(report().at("verdict"), "none");
  EXPECT_EQ(report().at("cases").at("run"), 20);
  EXPECT_EQ(report().at("cases").at("skipped"), 20);
}

TEST_F(Ranks, GoOnWhereOneIsKilledAndMpirunLetsTheOthersBe) {
  const std::string list = file_of("list", "ic1ih4oc1kh3\nic2ih4oc2kh3\nic3ih4oc3kh3\n");
  const auto ran = by_rank("rank", "--shapes " + list, "--enable-recovery");
  EXPECT_THAT(ran.output, HasSubstr("1: rank 1 did not answer"));
  EXPECT_EQ(report().at("verdict"), "none");
  EXPECT_EQ(report().at("cases").at("run"), 2);
}

TEST_F(Ranks, RefuseWhatOneRunRefusesInOneSentence) {
  const auto ran = ranks("check nowhere.c --seed 1");
  EXPECT_EQ(ran.status, 2) << ran.output;
  const std::string sentence = "nowhere.c is neither a file nor a bundled target";
  EXPECT_THAT(ran.output, HasSubstr(sentence));
  EXPECT_EQ(ran.output.find(sentence), ran.output.rfind(sentence));
  EXPECT_THAT(ranks("check mt7004_fp32_p --html page.html").output,
              HasSubstr("--html means nothing under mpirun"));
  EXPECT_THAT(ranks("check mt7004_fp32_p --seed 1 --against mt7004_fp32_s").output,
              HasSubstr("mpirun means nothing to --against"));
}

TEST_F(Ranks, WithAShardOfTheirOwnAreAlone) {
  const auto ran = ranks("check mt7004_fp32_p --cases 40 --seed 5 --shard 1/2");
  EXPECT_EQ(ran.status, 0) << ran.output;
  const std::string pass = "PASS  No counterexample in 20 runs.";
  EXPECT_NE(ran.output.find(pass), ran.output.rfind(pass));
}

TEST(StopAtFirst, LeavesTheRestOfOneRun) {
  const std::string report = temporary("first.json");
  const Ran ran =
      run_program("check " + kernel("dilation_h_left_out.c") + " --seed 5 --stop-at-first --json " + report);
  EXPECT_EQ(ran.status, 1) << ran.text;
  const Json cases = json_of(report).at("cases");
  EXPECT_GT(cases.at("skipped"), 9000);
  EXPECT_EQ(cases.at("run").get<int>() + cases.at("skipped").get<int>(), 10000);
}

}  // namespace
}  // namespace wgradcheck
