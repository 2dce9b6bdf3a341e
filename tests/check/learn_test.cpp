#include "check/search/learn.hpp"

#include <gtest/gtest.h>

#include "check/search/generate.hpp"

namespace wgradcheck::check {
namespace {

std::vector<Example> examples(const std::function<bool(const Case&)>& fails, std::uint64_t seed) {
  Domain domain;
  domain.abi = find_abi("mt7004_fp32_s");
  domain.core_masks = {1, 3, 7};
  const auto generator = cases(domain);
  std::vector<Example> list;
  for (std::int64_t i = 0; i < 400; ++i) {
    const Case c = nth_case(generator, seed, i);
    list.push_back({c, fails(c)});
  }
  return list;
}

TEST(Learn, FindsTheConditionBehindFailures) {
  const std::pair<const char*, std::function<bool(const Case&)>> kernels[]{
      {"ic%8!=0", [](const Case& c) { return c.shape.in_channels % 8 != 0; }},
      {"cores>1", [](const Case& c) { return c.cores() > 1; }},
      {"dh!=dw", [](const Case& c) { return c.shape.height.dilation != c.shape.width.dilation; }},
  };
  for (const auto& [text, fails] : kernels) {
    const auto learnt = learn(examples(fails, 1));
    ASSERT_TRUE(learnt) << text;
    EXPECT_EQ(learnt->text, text);
  }
}

TEST(Learn, AConjunctionHoldsWhereverTheKernelFails) {
  const auto fails = [](const Case& c) { return c.shape.in_channels > 4 && c.shape.height.stride > 1; };
  const auto learnt = learn(examples(fails, 1));
  ASSERT_TRUE(learnt);
  for (const Example& e : examples(fails, 2)) EXPECT_EQ(learnt->holds(e.test), e.fails) << learnt->text;
}

TEST(Learn, SaysNothingOfFailuresWithoutAPatternOrTooFew) {
  EXPECT_FALSE(learn(examples([](const Case& c) { return c.seed % 3 == 0; }, 1)));
  EXPECT_FALSE(learn(examples([](const Case&) { return false; }, 1)));
  EXPECT_FALSE(learn(examples([](const Case&) { return true; }, 1)));
}

}  // namespace
}  // namespace wgradcheck::check
