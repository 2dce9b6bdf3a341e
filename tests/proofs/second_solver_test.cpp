#include "proofs/second_solver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "optional.hpp"
#include "proofs/report.hpp"
#include "tests/proofs/agreement.hpp"

namespace wgradcheck::proofs {
namespace {

using testing::ElementsAre;

Query query(const Formula& formula, Products products) {
  const std::vector<Fact> facts{{"it", formula}};
  return smtlib(facts, products, "");
}

TEST(SecondSolver, AnswersByItself) {
  WGRADCHECK_NEEDS("cvc5");
  const Sym a = Sym::variable("a");
  EXPECT_EQ(ask_cvc5(query(2 * a == 6, Products::named)), Answer::satisfiable);
  EXPECT_EQ(ask_cvc5(query(2 * a == 7, Products::named)), Answer::unsatisfiable);
  EXPECT_EQ(ask_cvc5({"(this is no script", {}}), Answer::unknown);
}

TEST(SecondSolver, ItsObjectionFailsARun) {
  WGRADCHECK_NEEDS("cvc5");
  Result result;
  result.verdict = result.expected = Verdict::proved;
  const Query none = query(Sym::variable("a") != Sym::variable("a"), Products::named);
  ask_again(result, "right", none, Answer::unsatisfiable);
  EXPECT_EQ(status_of({result}), 0);
  ask_again(result, "wrong", none, Answer::satisfiable);
  EXPECT_EQ(result.asked, 2);
  EXPECT_EQ(result.agreed, 1);
  EXPECT_THAT(result.disputed, ElementsAre("wrong"));
  EXPECT_EQ(status_of({result}), 1);
  EXPECT_THAT(text(result), testing::HasSubstr("DISPUTED by cvc5: wrong"));
}

/// What is proved of schedules is asked every night.
TEST(SecondSolver, AnswersEveryClaimAboutFormulasAsTheFirstDoes) {
  WGRADCHECK_NEEDS("cvc5");
  WGRADCHECK_LONG();
  expect_agreement(subjects(false));
}

}  // namespace
}  // namespace wgradcheck::proofs
