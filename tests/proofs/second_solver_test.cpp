#include "proofs/second_solver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "optional.hpp"
#include "proofs/prove.hpp"
#include "proofs/report.hpp"

namespace wgradcheck::proofs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

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

TEST(SecondSolver, AnswersEveryClaimAsTheFirstDoes) {
  WGRADCHECK_NEEDS("cvc5");
  WGRADCHECK_LONG();
  int asked = 0, agreed = 0;
  for (const Result& result :
       prove(subjects(), {.pattern = "", .smt2 = {}, .cvc5 = true, .seconds = 3000, .done = {}})) {
    EXPECT_THAT(result.disputed, IsEmpty());
    if (result.expected == Verdict::proved) {
      EXPECT_THAT(result.unanswered, IsEmpty()) << result.name;
    }
    asked += result.asked;
    agreed += result.agreed;
  }
  EXPECT_GE(10 * agreed, 9 * asked) << "of " << asked;
}

}  // namespace
}  // namespace wgradcheck::proofs
