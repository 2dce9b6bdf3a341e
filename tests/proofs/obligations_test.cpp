#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "proofs/judge.hpp"
#include "tests/optional.hpp"

namespace wgradcheck::proofs {
namespace {

using testing::IsEmpty;

struct Named {
  std::string subject;
  Obligation obligation;
};

void PrintTo(const Named& named, std::ostream* out) { *out << named.subject << "." << named.obligation.name; }

std::vector<Named> all(bool schedules = true) {
  std::vector<Named> named;
  for (const Subject& subject : subjects(schedules))
    for (const Obligation& obligation : subject.obligations) named.push_back({subject.name, obligation});
  return named;
}

bool is_schedule(const Named& named) { return named.subject.starts_with("schedule."); }

/// The code that is sanitized is the same for every subject; the short ones run it.
std::vector<Named> judged() {
  std::vector<Named> named = all(!tests::kSanitized);
  if (tests::kSanitized) std::erase_if(named, [](const Named& n) { return n.subject == "partition"; });
  return named;
}

class Obligations : public testing::TestWithParam<Named> {};

TEST_P(Obligations, GetsItsVerdict) {
  const Result result = judge(GetParam().subject, GetParam().obligation);
  EXPECT_EQ(to_string(result.verdict), to_string(result.expected)) << result.detail << " " << result.witness;
  EXPECT_EQ(result.witness.empty(), result.verdict != Verdict::refuted);
  EXPECT_EQ(result.mutants.refuted.empty(), result.verdict != Verdict::proved);
}

INSTANTIATE_TEST_SUITE_P(All, Obligations, testing::ValuesIn(judged()), [](const auto& test) {
  std::string name = test.param.subject + "_" + test.param.obligation.name;
  std::ranges::replace(name, '.', '_');
  return name;
});

TEST(Subjects, OfSchedulesAreJudgedInThePlainSuite) {
  EXPECT_EQ(std::ranges::count_if(all(false), is_schedule), 0);
  const auto schedules = std::ranges::count_if(all(), is_schedule);
  ASSERT_GT(schedules, 0);
  if (tests::kSanitized)
    GTEST_SKIP() << schedules
                 << " obligations of schedules, and those of the partition, take long under "
                    "sanitizers; the plain suite proves them";
  EXPECT_EQ(std::ranges::count_if(judged(), is_schedule), schedules);
}

TEST(Subjects, RestOnLemmasThatAreProvedBeforeThem) {
  std::set<std::string> proved, of_picks;
  const std::vector<Named> every = all();
  for (const auto& [subject, obligation] : every)
    if (subject == "picks") of_picks.insert("picks." + obligation.name);
  for (const Named& named : every) {
    Statement<Sym> statement;
    named.obligation.symbols(statement);
    for (const auto& [role, fact] : statement.steps())
      // A schedule's proof rests on what is proved of picked pixels too.
      EXPECT_TRUE(role != Statement<Sym>::Role::lemma || proved.contains(fact.label) ||
                  (is_schedule(named) && of_picks.contains(fact.label)))
          << named.subject << "." << named.obligation.name << ": " << fact.label;
    if (named.subject == "lemmas") proved.insert(named.obligation.name);
  }
}

TEST(Subjects, BeginWithTheLemmas) {
  ASSERT_THAT(subjects(), testing::Not(IsEmpty()));
  EXPECT_EQ(subjects().front().name, "lemmas");
}

TEST(Subjects, MultiplyUnknownsInTheFirstLemmaAlone) {
  for (const auto& [subject, obligation] : all())
    EXPECT_EQ(obligation.products == Products::multiplied,
              subject == "lemmas" && obligation.name == "product");
}

TEST(Subjects, NameEachObligationOnce) {
  std::set<std::string> names;
  for (const auto& [subject, obligation] : all())
    EXPECT_TRUE(names.insert(subject + "." + obligation.name).second) << obligation.name;
}

}  // namespace
}  // namespace wgradcheck::proofs
