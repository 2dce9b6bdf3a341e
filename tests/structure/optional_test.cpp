#include "optional.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace wgradcheck::tests {
namespace {

TEST(Optional, AProgramOnPathIsFoundAndNoOther) {
  EXPECT_TRUE(on_path("sh"));
  EXPECT_FALSE(on_path("no-such-program"));
}

TEST(Optional, AMissingProgramFailsInCi) {
  ASSERT_EQ(::setenv("CI", "true", 1), 0);
  EXPECT_FATAL_FAILURE(WGRADCHECK_NEEDS("no-such-program"), "no-such-program is not installed here");
}

TEST(Optional, AMissingProgramSkipsElsewhere) {
  ASSERT_EQ(::unsetenv("CI"), 0);
  testing::TestPartResultArray results;
  {
    testing::ScopedFakeTestPartResultReporter reporter(&results);
    [] { WGRADCHECK_NEEDS("no-such-program"); }();
  }
  ASSERT_EQ(results.size(), 1);
  EXPECT_TRUE(results.GetTestPartResult(0).skipped());
}

}  // namespace
}  // namespace wgradcheck::tests
