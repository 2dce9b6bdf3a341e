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

std::vector<Named> all() {
  std::vector<Named> named;
  for (const Subject& subject : subjects())
    for (const Obligation& obligation : subject.obligations) named.push_back({subject.name, obligation});
  return named;
}

class Obligations : public testing::TestWithParam<Named> {};

TEST_P(Obligations, GetsItsVerdict) {
  // The code that is sanitized is the same for every schedule; the short ones run it.
  if (tests::kSanitized && GetParam().subject.starts_with("schedule."))
    GTEST_SKIP() << "takes long under sanitizers; the plain suite proves it";
  const Result result = judge(GetParam().subject, GetParam().obligation);
  EXPECT_EQ(to_string(result.verdict), to_string(result.expected)) << result.detail << " " << result.witness;
  EXPECT_EQ(result.witness.empty(), result.verdict != Verdict::refuted);
  EXPECT_EQ(result.mutants.refuted.empty(), result.verdict != Verdict::proved);
}

TEST_P(Obligations, RestsOnLemmasThatAreProvedBeforeIt) {
  std::set<std::string> proved;
  const auto all = subjects();
  for (const Obligation& lemma : all.front().obligations) {
    if (GetParam().subject == "lemmas" && lemma.name == GetParam().obligation.name) break;
    proved.insert(lemma.name);
  }
  // A schedule's proof rests on what is proved of picked pixels too.
  for (const Subject& subject : all)
    if (subject.name == "picks" && GetParam().subject.starts_with("schedule."))
      for (const Obligation& of_picks : subject.obligations) proved.insert("picks." + of_picks.name);
  Statement<Sym> statement;
  GetParam().obligation.symbols(statement);
  for (const auto& [role, fact] : statement.steps())
    EXPECT_TRUE(role != Statement<Sym>::Role::lemma || proved.contains(fact.label)) << fact.label;
}

INSTANTIATE_TEST_SUITE_P(All, Obligations, testing::ValuesIn(all()), [](const auto& test) {
  std::string name = test.param.subject + "_" + test.param.obligation.name;
  std::ranges::replace(name, '.', '_');
  return name;
});

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
