#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/wgrad.hpp"
#include "tests/check/sessions.hpp"
#include "tests/optional.hpp"

namespace wgradcheck::check {
namespace {

/// Checks a kernel with a slip; one that adds a bias where `bias` says so.
Verdict check_slip(const Slip* slip, bool bias = false) {
  FakeExecutor executor([slip](const Case& c, const Tensors& t) { return compute(c, t, slip); });
  Promises promises;
  Plan plan = plan_of(1);
  if (slip && std::string_view(slip->id) == "accumulated") promises.make("dw=overwrite");
  // Their conventions alone have a depth.
  if (slip && std::ranges::find(slips_of_depth(), slip->id, &Slip::id) != slips_of_depth().end())
    plan.domain.abi = find_abi("host_f32");
  if (bias) {
    promises.make("bias=column");
    plan.domain.biases = {Bias::none, Bias::column};
    plan.domain.abi = find_abi("mt7004_fp32_s");
    plan.domain.core_masks = {1, 3};
  }
  return check_kernel(executor, nullptr, promises, plan, {});
}

TEST(Session, ARightKernelPassesAndEveryRunIsCounted) {
  const Verdict v = check_slip(nullptr);
  EXPECT_EQ(v.answer, Verdict::Answer::pass);
  EXPECT_EQ(v.run, 600);
  EXPECT_EQ(v.skipped, 0);
}

class EverySlip : public testing::TestWithParam<int> {};

TEST_P(EverySlip, IsFoundAndNamed) {
  // What each computes is run under sanitizers by slips_test.cpp.
  if (tests::kSanitized && GetParam() % 8 != 0)
    GTEST_SKIP() << "takes long under sanitizers; the plain suite names every slip, this one an eighth";
  const Slip& slip = slips()[static_cast<std::size_t>(GetParam())];
  const std::string id = slip.id;
  const Verdict v = check_slip(&slip, id.starts_with("bias") || id == "sum_per_core");
  ASSERT_EQ(v.answer, Verdict::Answer::fail);
  ASSERT_FALSE(v.counterexamples.empty());
  const Counterexample& found = v.counterexamples.front();
  EXPECT_EQ(found.finding.property, Property::formula);
  ASSERT_NE(found.diagnosis.slip, nullptr);
  EXPECT_EQ(found.diagnosis.slip->id, id);
}

INSTANTIATE_TEST_SUITE_P(Slips, EverySlip, testing::Range(0, static_cast<int>(slips().size())),
                         [](const auto& param) { return slips()[static_cast<std::size_t>(param.param)].id; });

TEST(Session, AnIgnoredDilationShrinksToThreeRowsAndShowsItsProducts) {
  const Verdict v = check_slip(&slips()[0]);
  ASSERT_FALSE(v.counterexamples.empty());
  const Counterexample& found = v.counterexamples.front();
  EXPECT_LE(found.trial.test.shape.height.input, 3);
  EXPECT_EQ(found.trial.test.shape.width.input, 1);
  EXPECT_TRUE(found.diagnosis.products_known);
}

TEST(Session, AKernelThatKeepsTheResultOfAnEarlierCallIsToldSo) {
  Case last;
  std::vector<std::byte> kept;
  FakeExecutor executor([&](const Case& c, const Tensors& t) {
    Case key = c;
    key.seed = last.seed = 0;
    if (key == last) {
      std::ranges::copy(kept, t.dw.begin());
      return returned();
    }
    const Outcome o = compute(c, t, nullptr);
    last = key;
    kept.assign(t.dw.begin(), t.dw.end());
    return o;
  });
  executor.on_restart = [&] { last = {}; };
  const Verdict v = check_kernel(executor, nullptr, Promises(), plan_of(1), {});
  ASSERT_EQ(v.counterexamples.size(), 1U);
  EXPECT_THAT(v.counterexamples.front().finding.detail,
              testing::HasSubstr("it keeps something of earlier calls"));
}

TEST(Session, AKernelThatIsNotBilinearIsToldSo) {
  FakeExecutor executor([](const Case& c, const Tensors& t) {
    const Outcome o = compute(c, t, nullptr);
    // A clamp, as of an activation that strayed into the gradient.
    for (std::int64_t i = 0; i < spec::dw_elems(c.shape); ++i)
      store(c.dtype, t.dw, i, std::clamp(load(c.dtype, t.dw, i), -2.0, 2.0));
    return o;
  });
  const Verdict v = check_kernel(executor, nullptr, Promises(), plan_of(1), {});
  ASSERT_EQ(v.counterexamples.size(), 1U);
  EXPECT_FALSE(v.counterexamples.front().diagnosis.bilinear);
  EXPECT_EQ(v.counterexamples.front().diagnosis.slip, nullptr);
}

TEST(Session, AKernelThatAddsAConstantIsToldSo) {
  FakeExecutor executor([](const Case& c, const Tensors& t) {
    const Outcome o = compute(c, t, nullptr);
    store(c.dtype, t.dw, 0, load(c.dtype, t.dw, 0) + 3);
    return o;
  });
  const Verdict v = check_kernel(executor, nullptr, Promises(), plan_of(1), {});
  ASSERT_EQ(v.counterexamples.size(), 1U);
  const Diagnosis& d = v.counterexamples.front().diagnosis;
  EXPECT_TRUE(d.bilinear);
  EXPECT_EQ(d.offset, 3);
  EXPECT_TRUE(d.products.empty());
}

TEST(Session, AKernelThatDependsOnEarlierCallsIsToldSoAndNotShrunk) {
  for (const int every : {2, 3}) {
    int calls = 0;
    FakeExecutor executor([&](const Case& c, const Tensors& t) {
      const Outcome o = compute(c, t, nullptr);
      if (++calls % every == 0) store(c.dtype, t.dw, 0, load(c.dtype, t.dw, 0) + 1);
      return o;
    });
    const Verdict v = check_kernel(executor, nullptr, Promises(), plan_of(1), {});
    ASSERT_EQ(v.counterexamples.size(), 1U) << "nothing is concluded from further runs";
    EXPECT_FALSE(v.counterexamples.front().steady);
    EXPECT_NE(v.counterexamples.front().finding.detail.find("not reproducible"), std::string::npos);
  }
}

TEST(Session, OfListedShapesThatRunTogetherEachIsRunAndOneAlignmentExcusesAll) {
  FakeExecutor executor([](const Case& c, const Tensors& t) {
    if (c.align >= 16) return compute(c, t, nullptr);
    Outcome o;
    o.status = Outcome::Status::crashed;
    return o;
  });
  Plan plan = plan_of(1);
  for (std::int64_t size = 1; size <= 40; ++size)
    plan.shapes.push_back({1, 1, 2, 3, spec::kNoAxis, {size, size, 1, 1, 1, 0}, {size, size, 1, 1, 1, 0}});
  std::int64_t last = 0;
  Watcher watcher;
  watcher.progress = [&last](std::int64_t run, std::int64_t of) {
    EXPECT_LT(last, run);
    EXPECT_EQ(of, 40);
    last = run;
  };
  const Verdict v = check_kernel(executor, nullptr, Promises(), plan, watcher);
  EXPECT_EQ(v.answer, Verdict::Answer::pass);
  EXPECT_EQ(v.run, 40);
  EXPECT_EQ(last, 40);
  ASSERT_EQ(v.notes.size(), 1U);
  EXPECT_NE(v.notes.front().find("aligned to 16 bytes"), std::string::npos);
}

TEST(Session, NaNIsNamed) {
  FakeExecutor executor([](const Case& c, const Tensors& t) {
    const Outcome o = compute(c, t, nullptr);
    store(c.dtype, t.dw, 0, std::nan(""));
    return o;
  });
  const Verdict v = check_kernel(executor, nullptr, Promises(), plan_of(1), {});
  ASSERT_EQ(v.counterexamples.size(), 1U);
  EXPECT_NE(v.counterexamples.front().finding.detail.find("NaN"), std::string::npos);
  EXPECT_FALSE(v.counterexamples.front().diagnosis.relations.finite);
}

TEST(Session, TheMinimalCaseIsCertifiedByItsPassingNeighbours) {
  EXPECT_GT(check_slip(&slips()[0]).counterexamples.at(0).neighbours, 0);
}

TEST(Session, ALongRunThatNeglectsAClassOfTheDomainGivesNoVerdict) {
  FakeExecutor executor([](const Case& c, const Tensors& t) { return compute(c, t, nullptr); });
  Plan plan = plan_of(1);
  plan.cases = 1000;
  // Aims lead to two rows of taps, away from the few pointwise shapes that the domain holds.
  plan.domain.where = Where::parse("kh==2 || ic==7");
  plan.aims = Where::parse("kh==2").aims();
  const Verdict v = check_kernel(executor, nullptr, Promises(), plan, {});
  EXPECT_EQ(v.answer, Verdict::Answer::none);
  EXPECT_THAT(v.neglected, testing::Contains("pointwise"));
}

TEST(Session, AKernelThatWritesNothingNeverPasses) {
  FakeExecutor executor([](const Case&, const Tensors&) { return returned(); });
  const Verdict v = check_kernel(executor, nullptr, Promises(), plan_of(1), {});
  EXPECT_EQ(v.answer, Verdict::Answer::fail);
}

TEST(Session, WhenNothingRunsThereIsNoVerdict) {
  FakeExecutor executor([](const Case&, const Tensors&) { return Outcome{}; });
  const Verdict v = check_kernel(executor, nullptr, Promises(), plan_of(1), {});
  EXPECT_EQ(v.answer, Verdict::Answer::none);
  EXPECT_EQ(v.run, 0);
  EXPECT_EQ(v.skipped, 600);
}

TEST(Session, AFailureThatComesAndGoesIsNotExcusedAsRounding) {
  int calls = 0;
  FakeExecutor executor([&](const Case& c, const Tensors& t) {
    const Outcome o = compute(c, t, nullptr);
    if (++calls % 50 == 0) store(c.dtype, t.dw, 0, load(c.dtype, t.dw, 0) + 100);
    return o;
  });
  const Verdict v = check_kernel(executor, nullptr, Promises(), plan_of(1), {});
  ASSERT_EQ(v.counterexamples.size(), 1U);
  EXPECT_EQ(v.counterexamples.front().finding.property, Property::formula);
  EXPECT_FALSE(v.counterexamples.front().steady);
  EXPECT_TRUE(v.notes.empty());
}

/// A kernel that sums in binary16, one product after the other.
Outcome sum_in_half(const Case& c, const Tensors& t) {
  for (std::int64_t i = 0; i < spec::dw_elems(c.shape); ++i) {
    double sum = load(DType::f16, t.dw, i);
    spec::each_product(c.shape, spec::element_at(c.shape, i), [&](std::int64_t dy, std::int64_t x) {
      sum = rounded(DType::f16, sum + load(DType::f16, t.dy, dy) * load(DType::f16, t.x, x));
    });
    store(DType::f16, t.dw, i, sum);
  }
  return returned();
}

/// The same with dilation_h left out.
Outcome sum_in_half_without_dilation(Case c, const Tensors& t) {
  c.shape.height.dilation = 1;
  return sum_in_half(c, t);
}

TEST(Session, SumsInFewerBitsThanPromisedAreNoTransform) {
  FakeExecutor executor(sum_in_half);
  Plan plan = plan_of(1);
  plan.domain.abi = find_abi("mt7004_fp16_p");
  Promises promises;
  promises.make("acc=f32");
  const Verdict v = check_kernel(executor, nullptr, promises, plan, {});
  ASSERT_FALSE(v.counterexamples.empty());
  EXPECT_EQ(v.counterexamples.front().finding.property, Property::formula);
  EXPECT_TRUE(v.notes.empty());
}

TEST(Session, ASlipIsNamedBehindSumsInThePromisedAccumulator) {
  FakeExecutor executor(sum_in_half_without_dilation);
  Plan plan = plan_of(1);
  plan.domain.abi = find_abi("mt7004_fp16_p");
  Promises promises;
  promises.make("acc=f16");
  const Verdict v = check_kernel(executor, nullptr, promises, plan, {});
  ASSERT_EQ(v.counterexamples.size(), 1U);
  ASSERT_NE(v.counterexamples.front().diagnosis.slip, nullptr);
  EXPECT_STREQ(v.counterexamples.front().diagnosis.slip->id, "dilation_h_ignored");
  EXPECT_TRUE(v.counterexamples.front().diagnosis.products_known);
}

/// Neighbours of the minimal case, of a kernel that takes only some cases.
std::int64_t passing_neighbours(const std::function<bool(const Case&)>& takes) {
  FakeExecutor executor(
      [&](const Case& c, const Tensors& t) { return takes(c) ? compute(c, t, &slips()[0]) : Outcome{}; });
  return check_kernel(executor, nullptr, Promises(), plan_of(1), {}).counterexamples.at(0).neighbours;
}

TEST(Session, ASmallerCaseThatTheKernelDoesNotTakeIsNotCountedAsPassing) {
  const auto all = [](const Case&) { return true; };
  const auto dilated = [](const Case& c) { return c.shape.height.dilation > 1; };
  EXPECT_LT(passing_neighbours(dilated), passing_neighbours(all));
}

}  // namespace
}  // namespace wgradcheck::check
