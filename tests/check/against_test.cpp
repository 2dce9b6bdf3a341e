#include "check/search/against.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "check/judge/number.hpp"
#include "check/search/session.hpp"
#include "spec/wgrad.hpp"
#include "tests/check/fake_executor.hpp"
#include "tests/optional.hpp"

namespace wgradcheck::check {
namespace {

using testing::HasSubstr;

/// What a kernel does to dW beside the right sum.
using Slip = std::function<void(const Case&, std::vector<float>& dw)>;

/// A right kernel on data of any kind, in float, with a slip.
Outcome compute(const Case& c, const Tensors& t, const Slip& slip) {
  std::vector<float> dw;
  for (std::int64_t i = 0; i < spec::dw_elems(c.shape); ++i) {
    auto sum = static_cast<float>(load(c.dtype, t.dw, i));
    spec::each_product(c.shape, spec::element_at(c.shape, i), [&](std::int64_t dy, std::int64_t x) {
      sum += static_cast<float>(load(c.dtype, t.dy, dy)) * static_cast<float>(load(c.dtype, t.x, x));
    });
    dw.push_back(sum);
  }
  slip(c, dw);
  for (std::size_t i = 0; i < dw.size(); ++i)
    store(c.dtype, t.dw, static_cast<std::int64_t>(i), static_cast<double>(dw[i]));
  return returned();
}

void none(const Case&, std::vector<float>&) {}

Differences differences(const FakeExecutor::Function& now, const FakeExecutor::Function& before) {
  FakeExecutor new_one(now), old_one(before);
  Promises promises;
  promises.make("acc=f32");
  Plan plan;
  plan.domain.abi = find_abi("mt7004_fp32_p");
  plan.cases = 200;
  Against against(old_one, promises, *plan.domain.abi, "old");
  plan.against = &against;
  return *check_kernel(new_one, nullptr, promises, plan, {}).against;
}

FakeExecutor::Function with(const Slip& slip) {
  return [slip](const Case& c, const Tensors& t) { return compute(c, t, slip); };
}

TEST(Against, CountsEveryRunOnce) {
  const Differences d = differences(with(none), with(none));
  EXPECT_EQ(d.all.same, 200);
  EXPECT_EQ(d.all.runs(), 200);
  EXPECT_FALSE(d.first);
}

TEST(Against, ANeighbouringNumberIsWithinTheBoundWhereSumsRoundAndBeyondWhereTheyAreExact) {
  const Slip next = [](const Case&, std::vector<float>& dw) {
    for (float& f : dw)
      if (std::isfinite(f)) f = std::nextafter(f, INFINITY);
  };
  const Differences d = differences(with(next), with(none));
  EXPECT_GT(d.all.within, 10);
  EXPECT_GT(d.all.beyond, 100);
  EXPECT_EQ(d.before_outside, 0);
  ASSERT_TRUE(d.first && d.first->element);
  EXPECT_EQ(d.first->kind, Agreement::beyond);
  EXPECT_EQ(static_cast<float>(d.first->now), std::nextafter(static_cast<float>(d.first->before), INFINITY));
}

TEST(Against, TheSignOfAZeroAloneIsWithin) {
  WGRADCHECK_LONG();
  const Slip minus = [](const Case&, std::vector<float>& dw) {
    for (float& f : dw)
      if (f == 0) f = -f;
  };
  const Slip zero = [](const Case&, std::vector<float>& dw) { std::ranges::fill(dw, 0.0F); };
  const Slip minus_zero = [&](const Case& c, std::vector<float>& dw) { zero(c, dw), minus(c, dw); };
  const Differences d = differences(with(minus_zero), with(zero));
  // Where sums round, both are wrong beyond the bound.
  EXPECT_EQ(d.all.same, 0);
  EXPECT_GT(d.all.within, 150);
  EXPECT_EQ(d.now_outside, d.all.beyond);
}

TEST(Against, ACallThatOnlyOneReturnsFromIsBeyondAndOneThatNeitherDoesIsNotCompared) {
  const auto crashes = [](const Case&, const Tensors&) {
    Outcome o;
    o.status = Outcome::Status::crashed;
    return o;
  };
  const Differences one = differences(with(none), crashes);
  EXPECT_EQ(one.all.beyond, 200);
  ASSERT_TRUE(one.first);
  EXPECT_THAT(one.first->detail, HasSubstr("the old kernel did not return"));
  const Differences both = differences(crashes, crashes);
  EXPECT_EQ(both.all.runs(), 0);
  EXPECT_GT(both.not_compared, 0);
}

TEST(Against, AShapeThatOneOfThemDoesNotTakeIsNotCompared) {
  const auto pointwise_only = [](const Case& c, const Tensors& t) {
    if (c.shape.width.kernel > 1) return Outcome{};
    return compute(c, t, none);
  };
  const Differences d = differences(with(none), pointwise_only);
  EXPECT_GT(d.all.same, 20);
  EXPECT_EQ(d.all.runs(), d.all.same);
  EXPECT_EQ(d.all.runs() + d.not_compared, 200);
  EXPECT_FALSE(d.first);
}

TEST(Against, TheFirstDifferenceIsMadeSmaller) {
  const Slip wide = [](const Case& c, std::vector<float>& dw) {
    if (c.shape.width.kernel > 1) dw.front() += 1;
  };
  const Differences d = differences(with(wide), with(none));
  ASSERT_TRUE(d.first);
  EXPECT_EQ(d.first->trial.test.shape.width.kernel, 2);
  EXPECT_EQ(d.first->trial.test.shape.in_channels, 1);
  EXPECT_NE(d.first->first, d.first->trial.test);
  for (const AgreementCounts& c : d.by_class)
    if (c.name == "pointwise") {
      EXPECT_EQ(c.beyond, 0);
    }
}

}  // namespace
}  // namespace wgradcheck::check
