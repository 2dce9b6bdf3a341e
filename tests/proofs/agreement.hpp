#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "proofs/prove.hpp"

namespace wgradcheck::proofs {

/// Puts every query about these subjects to cvc5 too: it never objects, answers all that are to be proved,
/// and nine in ten of the others.
inline void expect_agreement(const std::vector<Subject>& subjects) {
  int asked = 0, agreed = 0;
  for (const Result& result :
       prove(subjects, {.pattern = "", .smt2 = {}, .cvc5 = true, .seconds = 3000, .done = {}})) {
    EXPECT_THAT(result.disputed, testing::IsEmpty());
    if (result.expected == Verdict::proved) {
      EXPECT_THAT(result.unanswered, testing::IsEmpty()) << result.name;
    }
    asked += result.asked;
    agreed += result.agreed;
  }
  EXPECT_GT(asked, 0);
  EXPECT_GE(10 * agreed, 9 * asked) << "of " << asked;
}

}  // namespace wgradcheck::proofs
