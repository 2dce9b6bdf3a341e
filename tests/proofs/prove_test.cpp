#include "proofs/prove.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "proofs/command.hpp"
#include "proofs/report.hpp"

namespace wgradcheck::proofs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A true statement that is proved at once.
Obligation easy(const std::string& name, Verdict expected = Verdict::proved) {
  Obligation obligation = holds(name, "A sum is the sum.", [](auto& p) {
    const auto a = p.integer("a");
    p.claim("so it is", p.subject([&] { return a + 1; }) == 1 + a);
  });
  obligation.expected = expected;
  return obligation;
}

/// A statement whose reading does something to the process that reads it.
Obligation evil(const std::string& name, void (*deed)()) {
  return holds(name, "It never answers.", [deed](auto&) { deed(); });
}

std::vector<std::string> verdicts(const std::vector<Result>& results) {
  std::vector<std::string> words;
  for (const Result& result : results) words.push_back(result.name + " " + to_string(result.verdict));
  return words;
}

TEST(Prove, KillsASubjectThatTakesTooLongAndGoesOn) {
  const auto start = std::chrono::steady_clock::now();
  const auto results = prove({{"slow",
                               {easy("a"),
                                evil("b",
                                     [] {
                                       for (;;) pause();
                                     }),
                                easy("c")}},
                              {"next", {easy("d")}}},
                             {.pattern = "", .smt2 = {}, .seconds = 5, .done = {}});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  EXPECT_THAT(verdicts(results),
              ElementsAre("slow.a proved", "slow.b unknown", "slow.c unknown", "next.d proved"));
  EXPECT_THAT(results[1].detail, HasSubstr("time"));
  EXPECT_EQ(status_of(results), 3) << "a time-out is not success";
}

TEST(Prove, TakesACrashForNoAnswer) {
  const auto results = prove({{"s", {evil("a", [] { std::abort(); })}}}, {});
  EXPECT_THAT(verdicts(results), ElementsAre("s.a unknown"));
  EXPECT_THAT(results[0].detail, HasSubstr("ended"));
}

TEST(Prove, TakesAnExceptionForNoAnswerAndSaysIt) {
  const auto results = prove({{"s", {evil("a", [] { throw std::runtime_error("out of luck"); })}}}, {});
  EXPECT_THAT(verdicts(results), ElementsAre("s.a unknown"));
  EXPECT_EQ(results[0].detail, "out of luck");
}

TEST(Prove, SelectsByPartOfANameAndByPattern) {
  const std::vector<Subject> two{{"one", {easy("a"), easy("b")}}, {"two", {easy("a")}}};
  EXPECT_THAT(verdicts(prove(two, {.pattern = "two", .smt2 = {}, .done = {}})), ElementsAre("two.a proved"));
  EXPECT_THAT(verdicts(prove(two, {.pattern = "*.a", .smt2 = {}, .done = {}})),
              ElementsAre("one.a proved", "two.a proved"));
  EXPECT_THAT(prove(two, {.pattern = "three", .smt2 = {}, .done = {}}), ElementsAre());
}

TEST(Prove, StatusTellsTheWrongFromTheUnknown) {
  const auto result = [](Verdict expected, Verdict verdict) {
    Result r;
    r.expected = expected;
    r.verdict = verdict;
    return r;
  };
  const Result good = result(Verdict::proved, Verdict::proved),
               refuted = result(Verdict::refuted, Verdict::refuted),
               wrong = result(Verdict::proved, Verdict::refuted),
               surprise = result(Verdict::refuted, Verdict::proved),
               empty = result(Verdict::proved, Verdict::vacuous),
               none = result(Verdict::proved, Verdict::unknown);
  EXPECT_EQ(status_of({good, refuted}), 0);
  EXPECT_EQ(status_of({good, wrong, none}), 1);
  EXPECT_EQ(status_of({surprise}), 1);
  EXPECT_EQ(status_of({empty}), 1);
  EXPECT_EQ(status_of({good, none}), 3);
  EXPECT_EQ(status_of({}), 2);
}

TEST(Report, GoesThroughALineUnchanged) {
  const Result result = prove({{"s", {easy("a")}}}, {}).at(0);
  EXPECT_EQ(to_line(from_line(to_line(result))), to_line(result));
}

TEST(Report, KeepsTo80Columns) {
  for (const Subject& subject : subjects())
    for (const Obligation& obligation : subject.obligations) {
      Result result;
      result.name = subject.name + "." + obligation.name;
      result.sentence = obligation.sentence;
      result.witness =
          "input_channel_=1 output_channel_=2 buffer_size_=536870912 limit=2147483648 core_num=1";
      for (Site site = 0; site < 100; ++site) result.mutants.all.insert(site);
      result.mutants.refuted = result.mutants.all;
      std::istringstream lines(text(result) + summary(std::vector(100, result)));
      for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
    }
}

TEST(Report, CountsAnAlteredOperationOfAScheduleOnce) {
  Result one, other, own;
  one.name = "schedule.s.a", other.name = "schedule.s.b", own.name = "t.a";
  one.of_one_text = other.of_one_text = true;
  one.mutants = {.all = {1, 2, 3, 5}, .refuted = {1}, .apart = {}, .equal = {2, 3, 5}, .others = {}};
  other.mutants = {.all = {2, 3, 4}, .refuted = {1, 4}, .apart = {2}, .equal = {3}, .others = {}};
  own.mutants = {.all = {1, 2}, .refuted = {2}, .apart = {}, .equal = {1}, .others = {}};
  const Score score = score_of(std::vector{one, other, own});
  EXPECT_EQ(score.all, 7u);
  EXPECT_EQ(score.refuted, 3u);
  EXPECT_EQ(score.equal, 3u) << "3 and 5 of the schedule, 1 of the other; 2 is so for one alone";
}

TEST(Report, CallsAnUnexpectedVerdictOut) {
  const Result result = prove({{"s", {easy("a", Verdict::refuted)}}}, {}).at(0);
  EXPECT_THAT(text(result), HasSubstr("EXPECTED refuted"));
  EXPECT_THAT(summary(std::vector{result}), HasSubstr("1 not as expected"));
}

/// The command as the program has it, in a folder of its own.
class Command : public testing::Test {
 protected:
  Command() {
    char name[] = "/tmp/wgradcheck-proofs-XXXXXX";
    folder = mkdtemp(name);
  }
  ~Command() override { std::filesystem::remove_all(folder); }
  int run(std::vector<std::string> words) {
    CLI::App app;
    int status = -1;
    add_prove(app, status, {});
    words.insert(words.begin(), "prove");
    std::ranges::reverse(words);
    try {
      app.parse(words);
    } catch (const CLI::ParseError& error) {
      return error.get_exit_code() == 0 ? 0 : 2;
    }
    return status;
  }
  std::filesystem::path folder;
};

TEST_F(Command, WritesVerdictsAsJson) {
  EXPECT_EQ(run({"chunks.suggested_2048", "--json", folder / "p.json"}), 0);
  std::ifstream file(folder / "p.json");
  const auto obligations = nlohmann::json::parse(file).at("obligations");
  ASSERT_EQ(obligations.size(), 1u);
  const auto& obligation = obligations[0];
  EXPECT_EQ(obligation.at("name"), "chunks.suggested_2048");
  EXPECT_THAT(std::string(obligation.at("sentence")), HasSubstr("2048"));
  EXPECT_EQ(obligation.at("expected"), "refuted");
  EXPECT_EQ(obligation.at("verdict"), "refuted");
  EXPECT_GT(double(obligation.at("seconds")), 0);
  EXPECT_THAT(std::string(obligation.at("witness")), HasSubstr("ic513"));
}

TEST_F(Command, WritesEveryQuery) {
  EXPECT_EQ(run({"lemmas.p", "--smt2", folder / "deep/smt2"}), 0);
  std::ifstream file(folder / "deep/smt2/lemmas.positive.1.smt2");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("(declare-const |a*b| Int)"));
  EXPECT_THAT(text, HasSubstr("(check-sat)"));
  EXPECT_TRUE(std::filesystem::exists(folder / "deep/smt2/lemmas.product.1.smt2"));
}

TEST_F(Command, RefusesAPatternThatMatchesNothing) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run({"no_such_obligation"}), 2);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("PATTERN is no_such_obligation"));
}

TEST_F(Command, RefusesAFileAndAFolderThatCannotBe) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run({"lemmas.p", "--json", folder / "missing/p.json"}), 2);
  std::ofstream(folder / "file") << "";
  EXPECT_EQ(run({"lemmas.p", "--smt2", folder / "file/below"}), 2);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(HasSubstr("--json is"), HasSubstr("--smt2 is")));
  EXPECT_EQ(run({"lemmas.p", "--timeout", "-1"}), 2);
}

}  // namespace
}  // namespace wgradcheck::proofs
