#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "check/search/refusal.hpp"
#include "tests/check/sessions.hpp"

/// Broken rules, calls to be refused, and runs that do not return.
namespace wgradcheck::check {
namespace {

TEST(Session, AChangedInputIsABrokenRule) {
  FakeExecutor executor([](const Case& c, const Tensors& t) {
    const Outcome o = compute(c, t, nullptr);
    t.x[0] ^= std::byte{1};
    return o;
  });
  const Verdict v = check_kernel(executor, nullptr, Promises(), plan_of(1), {});
  ASSERT_FALSE(v.counterexamples.empty());
  EXPECT_EQ(v.counterexamples.front().finding.property, Property::rules);
}

TEST(Session, AnInvalidCallThatIsComputedBreaksThePromiseToRefuse) {
  FakeExecutor executor([](const Case& c, const Tensors& t) {
    if (!is_invalid(c)) return compute(c, t, nullptr);
    store(c.dtype, t.dw, 0, 12345);
    return returned();
  });
  Promises promises;
  promises.make("refuses=yes");
  const Verdict v = check_kernel(executor, nullptr, promises, plan_of(1), {});
  ASSERT_EQ(v.counterexamples.size(), 1U);
  EXPECT_EQ(v.counterexamples.front().finding.property, Property::rules);
  EXPECT_GT(v.refused, 0);
}

TEST(Session, ARefusedCallThatTouchesNothingKeepsThePromise) {
  FakeExecutor executor(
      [](const Case& c, const Tensors& t) { return is_invalid(c) ? returned() : compute(c, t, nullptr); });
  Promises promises;
  promises.make("refuses=yes");
  const Verdict v = check_kernel(executor, nullptr, promises, plan_of(1), {});
  EXPECT_EQ(v.answer, Verdict::Answer::pass);
  EXPECT_GT(v.refused, 50);
}

/// An end by SIGABRT, as of a sanitizer's report or, where it was raised, of an exception.
Outcome aborted(const char* detail, bool raised) {
  Outcome o;
  o.status = Outcome::Status::crashed;
  o.code = SIGABRT;
  o.detail = detail;
  o.raised = raised;
  return o;
}

TEST(Session, RunsUnderSanitizersThatWereNotMadeAreTold) {
  FakeExecutor right([](const Case& c, const Tensors& t) { return compute(c, t, nullptr); });
  FakeExecutor unloadable([](const Case&, const Tensors&) {
    Outcome o;
    o.detail = "the sanitized kernel does not load";
    return o;
  });
  const Verdict v = check_kernel(right, &unloadable, Promises(), plan_of(1), {});
  EXPECT_EQ(v.answer, Verdict::Answer::pass);
  EXPECT_THAT(v.notes, testing::Contains("40 of 40 runs under sanitizers were not made: the sanitized kernel "
                                         "does not load"));
}

TEST(Session, WhatSanitizersReportWithoutABufferOfTheCallIsMemory) {
  FakeExecutor right([](const Case& c, const Tensors& t) { return compute(c, t, nullptr); });
  FakeExecutor sanitized(
      [](const Case&, const Tensors&) { return aborted("stack-buffer-overflow: read of 4 bytes", false); });
  const Verdict v = check_kernel(right, &sanitized, Promises(), plan_of(1), {});
  ASSERT_EQ(v.counterexamples.size(), 1U);
  EXPECT_EQ(v.counterexamples.front().finding.property, Property::memory);
  EXPECT_THAT(v.counterexamples.front().finding.detail, testing::HasSubstr("stack-buffer-overflow"));
}

TEST(Session, AnExceptionIsACrash) {
  FakeExecutor executor([](const Case&, const Tensors&) { return aborted("it threw", true); });
  const Verdict v = check_kernel(executor, nullptr, Promises(), plan_of(1), {});
  ASSERT_EQ(v.counterexamples.size(), 1U);
  EXPECT_EQ(v.counterexamples.front().finding.property, Property::crash);
}

TEST(Session, AHangIsReportedOnceAndEndsTheSearch) {
  FakeExecutor executor([](const Case&, const Tensors&) {
    Outcome o;
    o.status = Outcome::Status::hung;
    return o;
  });
  const Verdict v = check_kernel(executor, nullptr, Promises(), plan_of(1), {});
  ASSERT_EQ(v.counterexamples.size(), 1u);
  EXPECT_EQ(v.counterexamples.front().finding.property, Property::hang);
}

}  // namespace
}  // namespace wgradcheck::check
