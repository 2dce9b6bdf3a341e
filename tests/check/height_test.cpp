#include "check/judge/height.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/check/verdicts.hpp"

namespace wgradcheck::check {
namespace {

TEST(Height, IsReadAsItIsWritten) {
  for (const char* text : {"sequential", "pairwise", "blocked:16", "split:4", "chunks", "7"}) {
    const auto height = Height::parse(text);
    ASSERT_TRUE(height) << text;
    EXPECT_EQ(height->text(), text);
  }
  for (const char* text :
       {"", "blocked", "blocked:", "split:-1", "split:4x", "chunks:2", "sequentially", "0"})
    EXPECT_FALSE(Height::parse(text)) << text;
}

TEST(Height, CountsTheAdditionsOfTheLongestWay) {
  const auto of = [](const char* text, const char* line) { return Height::parse(text)->of(case_of(line)); };
  const char* const hundred = "mb2ic1ih5iw10oc1oh5ow10kh1kw1";
  EXPECT_EQ(of("sequential", hundred), 99);
  EXPECT_EQ(of("pairwise", hundred), 7);
  EXPECT_EQ(of("blocked:16", hundred), 15 + 6);
  EXPECT_EQ(of("split:4", hundred), 24 + 3);
  EXPECT_EQ(of("12", hundred), 12);
  const char* const one = "mb1ic1ih1oc1oh1kh1";
  for (const char* text : {"sequential", "pairwise", "blocked:16", "split:4", "chunks", "12"})
    EXPECT_EQ(of(text, one), 0) << text;
}

TEST(Height, OfChunksFollowsTheBuffer) {
  Case c = case_of("mb3ic2ih1iw20oc1oh1ow20kh1kw1");
  c.buffer = 6 * spec::buffer_limit(call_of(c));
  EXPECT_EQ(chunks_of(c), 3 * 4);
  EXPECT_EQ((Height{Height::Kind::chunks}).of(c), 5 + 11);
}

TEST(Height, GivesABoundThatNeverExceedsTheOrderFreeOne) {
  for (const std::int64_t terms : {1, 2, 100, 100000})
    for (const std::int64_t height : {1, 7, 99, 100001}) {
      const spec::Accumulation a{spec::kFloatSums, height};
      EXPECT_LE(spec::tree_error_bound(a, terms, 1), spec::sum_error_bound(a.sums, terms, 1));
    }
  const spec::Accumulation a{spec::kFloatSums, 7};
  EXPECT_DOUBLE_EQ(spec::tree_error_bound(a, 100, 1), 0x1p-21 / (1 - 0x1p-21) + 204 * 0x1p-150);
  EXPECT_TRUE(std::isinf(spec::gamma(0x1p-11, 2048)));
}

}  // namespace
}  // namespace wgradcheck::check
