#include <gmock/gmock.h>

#include <csignal>

#include "check/run/host_call.hpp"
#include "check/search/session.hpp"
#include "tests/check/host_kernels.hpp"

namespace wgradcheck::check {
namespace {

using Status = Outcome::Status;
using testing::HasSubstr;

/// A 3D case to which a kernel adds.
Case host_case(std::int64_t batch = 2, std::int64_t implementation = 0) {
  Case c;
  c.shape = {batch, 1, 3, 2, {4, 2, 2, 2, 1, 0}, {5, 3, 3, 2, 1, 1}, {4, 3, 2, 1, 1, 0}};
  c.host = true;
  c.implementation = implementation;
  return c;
}

/// In the second of these a kernel misbehaves that looks at the implementation.
const std::vector<Case> kCases{host_case(), host_case(2, 7), host_case(), host_case(200)};

TEST(HostKernel, IsGivenExactlyTheWorkspaceThatItAsksFor) {
  const Scratch scratch;
  const auto executor = executor_of(host_kernel("memset(work, 1, 4 * n);"), scratch);
  for (const Ran& ran : run(*executor, kCases)) {
    EXPECT_EQ(ran.outcome.status, Status::returned);
    EXPECT_TRUE(ran.right);
    EXPECT_EQ(ran.outcome.workspace, 4 * 72);
    EXPECT_EQ(ran.outcome.workspace_used, 4 * 72);
    EXPECT_EQ(ran.outcome.implementation, "plain");
    EXPECT_FALSE(ran.outcome.stray);
  }
}

TEST(HostKernel, RunsInTheProcessThatWasAsked) {
  const Scratch scratch;
  const auto executor = executor_of(
      host_kernel("if (asked != getpid()) return 1;", "asked = getpid();", "static pid_t asked;"), scratch);
  for (const Ran& ran : run(*executor, kCases)) EXPECT_EQ(ran.outcome.code, 0);
}

TEST(HostKernel, TheWorkspaceIsAlignedAndItsTensorsAreNot) {
  const Scratch scratch;
  const auto executor =
      executor_of(host_kernel("if ((uintptr_t)work % 64) return 1; if ((uintptr_t)dw % 64) return 2;",
                              "return 4 * n + 4;"),
                  scratch);
  EXPECT_EQ(run(*executor, {host_case()})[0].outcome.code, 2);
}

/// What a host kernel does in its second case, in the query or in the run, and how that must be told.
struct HostMisdeed {
  const char* name;
  const char* slip;
  const char* query;
  Status status;
  int code;
  bool in_query;
  const char* detail;
  std::optional<Stray> stray;
};

std::ostream& operator<<(std::ostream& out, const HostMisdeed& m) { return out << m.name; }

class HostMisbehaviour : public testing::TestWithParam<HostMisdeed> {};

TEST_P(HostMisbehaviour, IsAnOutcomeAndTheRunGoesOn) {
  const HostMisdeed& deed = GetParam();
  const Scratch scratch;
  const auto only_second = [](const std::string& text) {
    return "if (p->implementation == 7) {" + text + "}";
  };
  const auto executor =
      executor_of(host_kernel(only_second(deed.slip), only_second(deed.query)), scratch, 0.5);
  const auto ran = run(*executor, kCases);
  for (std::size_t i = 0; i < ran.size(); ++i) {
    if (i == 1) continue;
    EXPECT_EQ(ran[i].outcome.status, Status::returned) << i << ": " << ran[i].outcome.detail;
    EXPECT_TRUE(ran[i].right) << i;
    EXPECT_FALSE(ran[i].outcome.stray) << i;
  }
  const Outcome& seen = ran[1].outcome;
  EXPECT_EQ(seen.status, deed.status);
  EXPECT_EQ(seen.code, deed.code);
  EXPECT_EQ(seen.in_query, deed.in_query);
  EXPECT_THAT(seen.detail, HasSubstr(deed.detail));
  EXPECT_EQ(seen.stray, deed.stray);
}

constexpr Stray kPastWorkspace{BufferId::workspace, 288, true};

INSTANTIATE_TEST_SUITE_P(
    , HostMisbehaviour,
    testing::Values(HostMisdeed{"OverrunsItsWorkspace", "work[1024 + n] = 1;", "", Status::crashed, SIGSEGV,
                                false, "", Stray{BufferId::workspace, 4 * (1024 + 72), true}},
                    HostMisdeed{"OverrunsItsWorkspaceByOneFloat", "work[n] = 1;", "", Status::returned, 0,
                                false, "", kPastWorkspace},
                    HostMisdeed{"AsksForLessThanItUses", "for (int i = 0; i < n; ++i) work[i] = 1;",
                                "return 64;", Status::crashed, SIGSEGV, false, "",
                                Stray{BufferId::workspace, 64, true}},
                    HostMisdeed{"WritesToItsProblem",
                                "((wgrad_problem*)p)->height.stride = 9; return 0;",
                                "",
                                Status::returned,
                                0,
                                false,
                                "",
                                {}},
                    HostMisdeed{"ReturnsAFailure", "return 3;", "", Status::returned, 3, false, "", {}},
                    HostMisdeed{"CrashesInTheQuery",
                                "",
                                "*(volatile int*)0 = 1;",
                                Status::crashed,
                                SIGSEGV,
                                true,
                                "wrote to address 0x0, by a null pointer",
                                {}},
                    HostMisdeed{"AbortsInTheQuery", "", "abort();", Status::crashed, SIGABRT, true, "", {}},
                    HostMisdeed{"ExitsInTheQuery", "", "exit(0);", Status::exited, 0, true, "", {}},
                    HostMisdeed{"HangsInTheQuery", "", "for (;;) pause();", Status::hung, 0, true, "", {}},
                    HostMisdeed{"DoesNotSupportIt",
                                "",
                                "strcpy(text, \"an odd\\nshape\"); return -1;",
                                Status::not_run,
                                0,
                                false,
                                "not supported: an odd?shape",
                                {}},
                    HostMisdeed{"FillsTheWholeText",
                                "",
                                "memset(text, 'a', WGRAD_TEXT); return -1;",
                                Status::not_run,
                                0,
                                false,
                                "not supported: aaa",
                                {}},
                    HostMisdeed{"WantsMoreThanThereIs",
                                "",
                                "return INT64_MAX;",
                                Status::not_run,
                                0,
                                false,
                                "its workspace is over",
                                {}}),
    [](const auto& tested) { return tested.param.name; });

TEST(HostKernel, AThreadThatGoesOnAfterTheReturnIsSeen) {
  const Scratch scratch;
  const auto executor = executor_of(
      host_kernel(
          "pthread_t id; pthread_create(&id, 0, late, dw); if (p->implementation == 7) usleep(200000);", "",
          "static void* late(void* dw) { usleep(50000); *(volatile float*)dw = 1; return 0; }"),
      scratch);
  const auto ran = run(*executor, {host_case(), host_case(2, 7)});
  EXPECT_EQ(ran[1].outcome.status, Status::crashed);
  EXPECT_THAT(ran[1].outcome.detail, HasSubstr("a thread went on after its call had returned"));
}

TEST(HostKernel, AFaultInAThreadIsTold) {
  const Scratch scratch;
  const auto executor =
      executor_of(host_kernel("pthread_t id; pthread_create(&id, 0, wild, work + 2000); pthread_join(id, 0);",
                              "", "static void* wild(void* at) { *(volatile float*)at = 1; return 0; }"),
                  scratch);
  const Outcome seen = run(*executor, {host_case()})[0].outcome;
  EXPECT_EQ(seen.status, Status::crashed);
  EXPECT_EQ(seen.stray, (Stray{BufferId::workspace, 8000, true}));
  EXPECT_EQ(seen.detail, "");
}

/// A check of a kernel given as text, told to overwrite dW.
Verdict check_host(const std::string& text, std::int64_t cases = 1000) {
  const Scratch scratch;
  const auto executor = executor_of(text, scratch);
  Promises promises;
  promises.make("dw=overwrite");
  promises.make("acc=f32");
  Plan plan;
  plan.domain.abi = find_abi("host_f32");
  plan.domain.accumulate = false;
  plan.domain.core_masks = {1, 3, 15};
  plan.domain.implementations = {0, 1, 2};
  plan.cases = cases;
  plan.seed = 5;
  return check_kernel(*executor, nullptr, promises, plan, {});
}

TEST(HostKernel, ARightOnePassesInEveryClass) {
  const Verdict v = check_host(host_kernel(""));
  EXPECT_EQ(v.answer, Verdict::Answer::pass);
  EXPECT_THAT(v.neglected, testing::IsEmpty());
  for (const auto& [name, count] : v.by_class) EXPECT_GE(count, 20) << name;
}

TEST(HostKernel, AShapeThatIsNotSupportedIsCountedWithTheReason) {
  const Verdict v =
      check_host(host_kernel("", "if (p->groups > 1) { strcpy(text, \"groups\"); return -1; }"));
  ASSERT_EQ(v.skipped_because.size(), 1U);
  EXPECT_EQ(v.skipped_because[0].first, "not supported: groups");
  EXPECT_EQ(v.run + v.skipped, 1000);
}

TEST(HostKernel, AnOverrunOfTheWorkspaceShrinksWithItsThreads) {
  const Verdict v = check_host(
      host_kernel("if (p->threads > 1 && p->implementation && p->depth.kernel > 1) work[n + 4096] = 0;"));
  ASSERT_EQ(v.counterexamples.size(), 1U);
  const Counterexample& found = v.counterexamples[0];
  EXPECT_EQ(found.finding.property, Property::memory);
  EXPECT_EQ(found.trial.test.cores(), 2);
  EXPECT_EQ(found.trial.test.implementation, 1);
  EXPECT_EQ(found.trial.test.shape.depth.kernel, 2);
  EXPECT_EQ(found.trial.test.workspace, 8);
  EXPECT_EQ(found.finding.detail, "wrote past the end of workspace: at byte 16392 of 8");
}

TEST(HostKernel, OfFailuresThatComeAndGoAndOneThatStaysTheLatterIsReported) {
  const std::string every_other = "static int calls; if (++calls % 2) return 0;";
  const Verdict both = check_host(host_kernel("if (p->groups > 2) work[n] = 0; else {" + every_other + "}"));
  ASSERT_EQ(both.counterexamples.size(), 1U);
  EXPECT_EQ(both.counterexamples[0].finding.detail, "wrote past the end of workspace: at byte 12 of 12");
  EXPECT_EQ(both.counterexamples[0].trial.test.shape.groups, 3);
  const Verdict fleeting = check_host(host_kernel(every_other), 200);
  ASSERT_EQ(fleeting.counterexamples.size(), 1U);
  EXPECT_THAT(fleeting.counterexamples[0].finding.detail, HasSubstr("not reproducible: 2 of 4"));
}

TEST(HostKernel, AWrongSumIsNamedThoughDwIsOverwritten) {
  std::string text = host_kernel("");
  const std::string right = "kh * p->height.dilation";
  text.replace(text.find(right), right.size(), "kh");
  const Verdict v = check_host(text);
  ASSERT_EQ(v.counterexamples.size(), 1U);
  ASSERT_NE(v.counterexamples[0].diagnosis.slip, nullptr);
  EXPECT_STREQ(v.counterexamples[0].diagnosis.slip->id, "dilation_h_ignored");
}

TEST(HostKernel, OneThatAddsThoughItIsToOverwriteIsNamed) {
  std::string text = host_kernel("");
  const std::string right = "p->accumulate ?";
  text.replace(text.find(right), right.size(), "1 ?");
  const Verdict v = check_host(text);
  ASSERT_GE(v.counterexamples.size(), 1U);
  ASSERT_NE(v.counterexamples[0].diagnosis.slip, nullptr);
  EXPECT_STREQ(v.counterexamples[0].diagnosis.slip->id, "accumulated");
}

TEST(HostKernel, NeedsItsQuery) {
  const Scratch scratch;
  const std::string file = scratch.write("half.c", "void wgrad_kernel(void) {}");
  try {
    open_kernel({file}, "", "", {}, scratch.path());
    FAIL();
  } catch (const BadInput& bad) {
    EXPECT_THAT(bad.sentence, HasSubstr("has wgrad_kernel but no wgrad_kernel_workspace"));
  }
}

TEST(HostKernel, EveryFieldOfTheProblemHasAName) {
  const wgrad_problem given = problem_of(host_case());
  wgrad_problem altered = given;
  EXPECT_EQ(changed_field(given, altered), "");
  altered.depth.pad_before = 9;
  EXPECT_EQ(changed_field(given, altered), "depth.pad_before");
  altered = given;
  altered.implementation = 9;
  EXPECT_EQ(changed_field(given, altered), "implementation");
}

}  // namespace
}  // namespace wgradcheck::check
