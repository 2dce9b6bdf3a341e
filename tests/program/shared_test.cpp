#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;

Ran check_shared(const std::string& slip) {
  return run_program("check " + kernel("shared.c") + " --cases 1500 --promise bias=column --cflags -DSLIP_" +
                     slip);
}

TEST(SharedKernel, ARightOnePassesOnEveryCountOfCores) {
  const Ran ran = check_shared("NONE");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("on 1 to 4 cores"));
}

class SharedSlip : public testing::TestWithParam<const char*> {};

TEST_P(SharedSlip, IsFoundOnMoreThanOneCore) {
  const Ran ran = check_shared(GetParam());
  EXPECT_EQ(ran.status, 1) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("FAIL"));
  EXPECT_THAT(ran.text, HasSubstr(" cores (mask "));
}

INSTANTIATE_TEST_SUITE_P(Each, SharedSlip,
                         testing::Values("NO_BARRIER", "BIAS_PER_CORE", "NOT_ZEROED", "BIT_INDEX"),
                         [](const auto& slip) { return std::string(slip.param); });

}  // namespace
}  // namespace wgradcheck
