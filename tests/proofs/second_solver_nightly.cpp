#include "tests/optional.hpp"
#include "tests/proofs/agreement.hpp"

/// The second solver is asked all that is proved.
namespace wgradcheck::proofs {
namespace {

TEST(SecondSolverNightly, AnswersEveryClaimAsTheFirstDoes) {
  WGRADCHECK_NEEDS("cvc5");
  expect_agreement(subjects());
}

}  // namespace
}  // namespace wgradcheck::proofs
