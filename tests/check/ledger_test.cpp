#include "check/ranks/ledger.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>

#include "check/ranks/helper.hpp"

namespace wgradcheck::check {
namespace {

using namespace std::chrono_literals;
using Json = nlohmann::ordered_json;

/// A report with what joining needs, of shard `index` of two.
Json report_of(int index, bool fails) {
  Json found = Json::array();
  if (fails) found.push_back({{"property", "formula"}, {"replay", "again"}});
  return {{"version", "1"},
          {"kernel", "k"},
          {"abi", "a"},
          {"seed", 1},
          {"promises", ""},
          {"domain", ""},
          {"verdict", fails ? "fail" : "pass"},
          {"seconds", 1.0},
          {"cases",
           {{"run", 10},
            {"skipped", 0},
            {"open", 0},
            {"refused", 0},
            {"largest", ""},
            {"workspace", ""},
            {"by_class", Json::object()},
            {"skipped_because", Json::object()}}},
          {"rounding_worst", nullptr},
          {"neglected", Json::array()},
          {"channels_skipped", Json::array()},
          {"unseen", Json::array()},
          {"notes", Json::array()},
          {"counterexamples", found},
          {"shard", {{"index", index}, {"count", 2}, {"of", "all"}}},
          {"replay", "all"}};
}

class TwoRanks : public testing::Test {
 protected:
  void hear(int rank, const Json& message, Ledger::Clock::duration at = 0s) {
    ledger.hear(rank, message, start + at);
  }
  Json cases() const { return ledger.report().at("cases"); }

  const Ledger::Clock::time_point start{};
  Ledger ledger{2, 10s, start};
};

TEST_F(TwoRanks, AreOverWhenBothHaveReported) {
  hear(0, {{"report", report_of(1, false)}});
  EXPECT_FALSE(ledger.over(start));
  hear(1, {{"report", report_of(2, false)}});
  EXPECT_TRUE(ledger.over(start));
  EXPECT_FALSE(ledger.has_counterexample());
  EXPECT_EQ(ledger.report().at("verdict"), "pass");
  EXPECT_EQ(cases().at("run"), 20);
}

TEST_F(TwoRanks, LeaveTheCasesOfOneThatDiedOpen) {
  hear(0, {{"cases", {11, 10}}});
  hear(0, {{"report", report_of(1, false)}});
  hear(1, {{"died", "was killed by signal 9"}});
  EXPECT_TRUE(ledger.over(start));
  EXPECT_EQ(ledger.report().at("verdict"), "none");
  EXPECT_EQ(cases().at("skipped"), 10);
  EXPECT_EQ(cases().at("open"), 10);
  EXPECT_EQ(cases().at("skipped_because").at("rank 1 was killed by signal 9"), 10);
}

TEST_F(TwoRanks, KeepACounterexampleWhateverBecomesOfTheOther) {
  hear(1, {{"report", report_of(2, true)}});
  EXPECT_TRUE(ledger.has_counterexample());
  hear(0, {{"died", "ended with status 1"}});
  EXPECT_EQ(ledger.report().at("verdict"), "fail");
}

TEST_F(TwoRanks, GiveUpOneThatIsSilentUntilItSpeaksAgain) {
  hear(0, {{"report", report_of(1, false)}}, 9s);
  EXPECT_FALSE(ledger.over(start + 9s));
  hear(0, Json::object(), 11s);
  EXPECT_TRUE(ledger.over(start + 11s));
  EXPECT_TRUE(ledger.lost_one(start + 11s));
  hear(1, Json::object(), 12s);
  EXPECT_FALSE(ledger.over(start + 12s));
  EXPECT_FALSE(ledger.lost_one(start + 12s));
}

TEST_F(TwoRanks, AreOverAtWhatOneRefuses) {
  hear(1, {{"error", "no such file"}, {"status", 2}});
  EXPECT_TRUE(ledger.over(start));
  EXPECT_EQ(ledger.error()->first, "rank 1: no such file");
}

TEST_F(TwoRanks, HaveNoReportWhereNoneHasOne) {
  hear(0, {{"died", "was killed by signal 9"}});
  EXPECT_TRUE(ledger.report().is_null());
}

/// What a helper tells until it ends, and how it ends.
std::pair<std::vector<Json>, std::string> all_of(Helper& helper) {
  std::vector<Json> told;
  for (;;) {
    const auto death = helper.death();
    while (const auto next = helper.next()) told.push_back(*next);
    if (death) return {told, *death};
  }
}

TEST(AHelper, TellsAndIsAskedToStop) {
  Helper helper([](const Json& order, const Helper::Owner& owner) {
    owner.tell(order);
    while (!owner.stopped()) {
    }
    owner.tell({{"long", std::string(1 << 20, 'x')}});
  });
  helper.order({{"seed", 7}});
  helper.stop();
  const auto [told, death] = all_of(helper);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].at("seed"), 7);
  EXPECT_EQ(told[1].at("long").get<std::string>().size(), std::size_t{1} << 20);
  EXPECT_EQ(death, "ended with status 0");
}

TEST(AHelper, DiesAlone) {
  Helper helper([](const Json&, const Helper::Owner& owner) {
    owner.tell({{"cases", {1}}});
    std::raise(SIGKILL);
  });
  helper.order({});
  const auto [told, death] = all_of(helper);
  EXPECT_EQ(told.size(), 1U);
  EXPECT_EQ(death, "was killed by signal 9");
}

TEST(AHelper, TellsWhatItsWorkThrows) {
  Helper helper([](const Json&, const Helper::Owner&) { throw std::runtime_error("no room"); });
  helper.order({});
  const auto [told, death] = all_of(helper);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0], (Json{{"error", "no room"}, {"status", 3}}));
}

}  // namespace
}  // namespace wgradcheck::check
