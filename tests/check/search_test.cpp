#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "check/judge/data.hpp"
#include "check/judge/oracle.hpp"
#include "check/search/classes.hpp"
#include "check/search/generate.hpp"
#include "check/search/shrink.hpp"
#include "spec/wgrad.hpp"

namespace wgradcheck::check {
namespace {

Domain fp32_private() {
  Domain domain;
  domain.abi = find_abi("mt7004_fp32_p");
  return domain;
}

RC_GTEST_PROP(Search, EveryGeneratedCaseIsValid, ()) {
  const Case c = *cases(fp32_private());
  RC_ASSERT(!spec::refuse(c.shape));
  RC_ASSERT(!spec::refuse(call_of(c)));
  RC_ASSERT(c.workspace == spec::documented_workspace(call_of(c)));
}

TEST(Search, NoClassOfShapesFallsBelowTwoPercent) {
  const auto generator = cases(fp32_private());
  std::map<std::string, int> shares;
  for (int i = 0; i < 2000; ++i)
    for (const ShapeClass& k : shape_classes(*fp32_private().abi))
      shares[k.name] += k.contains(nth_case(generator, 7, i));
  for (const auto& [name, count] : shares) EXPECT_GE(count, 40) << name;
}

TEST(Search, LayersAsNetworksHaveThemAreAmongTheCases) {
  const auto generator = cases(fp32_private());
  int wide = 0, deep = 0;
  for (int i = 0; i < 10000; ++i) {
    const spec::Shape s = nth_case(generator, 7, i).shape;
    wide += s.height.output >= 14 && s.width.output >= 14 && s.in_channels >= 16;
    deep += s.height.kernel == 3 && s.width.kernel == 3 && s.in_channels >= 32 && s.out_channels >= 32;
    EXPECT_LE(spec::products(s), std::int64_t{1} << 25);
  }
  EXPECT_GE(wide, 50);
  EXPECT_GE(deep, 10);
}

TEST(Search, TheSameSeedGivesTheSameCases) {
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(nth_case(cases(fp32_private()), 5, i), nth_case(cases(fp32_private()), 5, i));
  EXPECT_NE(nth_case(cases(fp32_private()), 5, 3), nth_case(cases(fp32_private()), 6, 3));
}

RC_GTEST_PROP(Search, EverySmallerCaseIsValidAndCostsLess, ()) {
  const Domain domain = fp32_private();
  const Case c = *cases(domain);
  for (const Case& s : smaller(domain, c)) {
    RC_ASSERT(!spec::refuse(call_of(s)));
    RC_ASSERT(cost(s) < cost(c));
  }
}

TEST(Search, ShrinkingEndsAtTheLeastShapeThatFails) {
  const Domain domain = fp32_private();
  const auto generator = cases(domain);
  const auto wrong = [](const Case& c) { return c.shape.height.kernel > 1 && c.shape.height.dilation > 1; };
  int tried = 0;
  for (int i = 0; i < 300; ++i) {
    const Case c = nth_case(generator, 1, i);
    if (!wrong(c)) continue;
    ++tried;
    const Case least = shrink(
                           domain, c,
                           [&](std::span<const Case> some) {
                             const auto found = std::ranges::find_if(some, wrong);
                             return found == some.end() ? -1 : found - some.begin();
                           },
                           8, [] { return false; })
                           .least;
    EXPECT_LE(least.shape.height.input, 3);
    EXPECT_EQ(least.shape.height.kernel, 2);
    EXPECT_EQ(least.shape.height.dilation, 2);
    EXPECT_EQ(least.shape.width, spec::kNoAxis);
    EXPECT_EQ(spec::products(least.shape), 2);
  }
  EXPECT_GT(tried, 10);
}

RC_GTEST_PROP(Search, DataKeepEveryPartialSumExact, ()) {
  const Case c = *cases(fp32_private());
  const int bits = *rc::gen::element(11, 24);
  const Data d = make_data(c, {bits, false, false});
  for (std::int64_t i = 0; i < spec::dw_elems(c.shape); ++i) {
    const auto sum =
        spec::element<std::int64_t>(c.shape, spec::element_at(c.shape, i),
                                    std::span<const std::int16_t>(d.dy), std::span<const std::int16_t>(d.x));
    RC_ASSERT(sum.magnitude + std::abs(d.dw[static_cast<std::size_t>(i)]) < std::int64_t{1} << bits);
  }
}

RC_GTEST_PROP(Search, TheOracleAgreesWithTheDefinition, ()) {
  const Case c = *cases(fp32_private());
  const Data d = make_data(c, {});
  const auto sums = exact_sums(c.shape, d.dy, d.x);
  for (std::int64_t i = 0; i < spec::dw_elems(c.shape); ++i)
    RC_ASSERT(sums[static_cast<std::size_t>(i)] ==
              spec::element<std::int64_t>(c.shape, spec::element_at(c.shape, i),
                                          std::span<const std::int16_t>(d.dy),
                                          std::span<const std::int16_t>(d.x))
                  .value);
}

TEST(Search, NoNumberIsZeroSoThatEveryProductCounts) {
  const Case c = nth_case(cases(fp32_private()), 3, 90);
  const Data d = make_data(c, {});
  EXPECT_EQ(std::ranges::count(d.dy, 0), 0);
  EXPECT_EQ(std::ranges::count(d.x, 0), 0);
  EXPECT_EQ(std::ranges::count(d.dw, 0), 0);
}

TEST(Search, AlteringOneElementIsSeen) {
  const Case c = nth_case(cases(fp32_private()), 3, 50);
  const Data d = make_data(c, {});
  const auto bytes = [](const Integers& values) { return std::vector<std::byte>(values.size() * 4); };
  std::vector<std::byte> dy = bytes(d.dy), x = bytes(d.x), dw = bytes(d.dw);
  write_tensors(c, d, {dy, x, dw, {}});
  EXPECT_EQ(first_altered(DType::f32, d, BufferId::x, x), -1);
  x[x.size() - 1] ^= std::byte{1};
  EXPECT_EQ(first_altered(DType::f32, d, BufferId::x, x), static_cast<std::int64_t>(d.x.size()) - 1);
}

}  // namespace
}  // namespace wgradcheck::check
