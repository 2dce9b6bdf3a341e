#include "check/run/sanitized_executor.hpp"

#include <csignal>

#include "check/run/sanitizer_report.hpp"
#include "tests/check/host_kernels.hpp"

namespace wgradcheck::check {
namespace {

using Status = Outcome::Status;

std::unique_ptr<Executor> sanitized(const std::string& source, const Scratch& scratch, double deadline = 10) {
  const std::string file = scratch.write("kernel.c", source);
  return sanitized_executor(open_kernel({file}, "", "", {.sanitize = true}, scratch.path()), {deadline});
}

TEST(SanitizedExecutor, RunsARightKernel) {
  const Scratch scratch;
  const auto executor = sanitized(private_kernel(""), scratch);
  for (const Ran& r :
       run(*executor, {small_case(), large_case(), small_case(kBad, Placement::flush_start)})) {
    EXPECT_EQ(r.outcome.status, Status::returned) << r.outcome.detail;
    EXPECT_TRUE(r.right);
    EXPECT_FALSE(r.outcome.stray);
  }
}

TEST(SanitizedExecutor, CountsWhatACallLeavesAllocated) {
  const Scratch scratch;
  for (const auto& [slip, bytes] :
       {std::pair{"", 0}, {"static void* volatile kept; kept = malloc(100);", 100}}) {
    const auto executor = sanitized(private_kernel(slip), scratch);
    for (const Ran& r : run(*executor, {small_case(kBad), small_case(kBad)}))
      EXPECT_EQ(r.outcome.kept, bytes);
  }
}

TEST(SanitizedExecutor, RunsARightSharedKernelOnSeveralCores) {
  const Scratch scratch;
  const auto executor = sanitized(shared_kernel(""), scratch);
  std::vector<Case> cases{small_case(), small_case(), small_case()};
  cases[1].core_mask = 0xa;
  cases[2].core_mask = 0x7;
  for (const Ran& r : run(*executor, cases)) EXPECT_TRUE(r.right) << r.outcome.detail;
}

/// A slip, and the words with which its report begins and ends.
struct Slip {
  const char* name;
  const char* text;
  const char* kind;
  const char* place;
  std::optional<Stray> stray{};
};

std::ostream& operator<<(std::ostream& out, const Slip& s) { return out << s.name; }

class Report : public testing::TestWithParam<Slip> {};

TEST_P(Report, IsOneLineWithThePlaceAndTheRunGoesOn) {
  const Slip& slip = GetParam();
  const Scratch scratch;
  const auto executor = sanitized(private_kernel(slip.text), scratch);
  const auto ran = run(*executor, {small_case(), small_case(kBad), small_case()});
  const Outcome& outcome = ran[1].outcome;
  EXPECT_EQ(outcome.status, Status::crashed);
  EXPECT_EQ(outcome.code, SIGABRT);
  EXPECT_TRUE(outcome.detail.starts_with(slip.kind)) << outcome.detail;
  EXPECT_NE(outcome.detail.find(slip.place), std::string::npos) << outcome.detail;
  EXPECT_EQ(outcome.stray, slip.stray);
  EXPECT_TRUE(ran[0].right && ran[2].right);
}

// small_case() has 36 elements of dy, 120 of x and 36 of dw.
INSTANTIATE_TEST_SUITE_P(
    EveryKind, Report,
    testing::Values(Slip{"ReadAfterX", "sink = x[n_x];",
                         "use-after-poison, read of 4 bytes, in fp_conv_grad_filter_p at ",
                         "kernel.c:", Stray{BufferId::x, 480, false}},
                    Slip{"WriteBeforeDw", "dw[-1] = 1;", "use-after-poison, write of 4 bytes",
                         "kernel.c:", Stray{BufferId::dw, -4, true}},
                    Slip{"SetAfterDw", "memset(dw, 0, n_dw * 4 + 4);", "use-after-poison, write of",
                         "kernel.c:", Stray{BufferId::dw, 144, true}},
                    Slip{"HeapOverflow",
                         "float *own = malloc(n_dy * 4); own[n_dy] = dy[0]; sink = own[n_dy];",
                         "heap-buffer-overflow, write of 4 bytes", "kernel.c:"},
                    Slip{"StackOverflow", "float own[4]; memcpy(own, x, n_x * 4); sink = own[n_x % 4];",
                         "stack-buffer-overflow, write of 480 bytes", "kernel.c:"},
                    Slip{"ArrayIndex", "float own[4] = {0}; sink = own[n_x];",
                         "index 120 out of bounds for type 'float [4]'", "kernel.c:"},
                    Slip{"IntegerOverflow", "int big = 0x7fffffff; big += n_x; sink = big;",
                         "signed integer overflow: 120 + 2147483647 cannot be represented", "kernel.c:"},
                    Slip{"Misaligned", "float *volatile odd = (float *)((char *)dy + 1); sink = *odd;",
                         "load of misaligned address for type 'float'", "kernel.c:"},
                    Slip{"NullPointer", "*(volatile int *)(8 * (n_dy - 35)) = 1;",
                         "SEGV, write, in fp_conv_grad_filter_p", "kernel.c:"}),
    [](const auto& tested) { return tested.param.name; });

TEST(SanitizedExecutor, TellsTheCoreThatStrays) {
  const Scratch scratch;
  const auto executor = sanitized(shared_kernel("if (rank == 2) dw[n_dw] = 1;"), scratch);
  std::vector<Case> cases{small_case(kBad), small_case()};
  cases[0].core_mask = cases[1].core_mask = 0xf;
  const auto ran = run(*executor, cases);
  EXPECT_EQ(ran[0].outcome.stray, std::optional<Stray>({BufferId::dw, 144, true}));
  EXPECT_TRUE(ran[1].right);
}

TEST(SanitizedExecutor, SeesExitsAndHangs) {
  const Scratch scratch;
  const auto exits = sanitized(private_kernel("exit(5);"), scratch);
  const Outcome exited = run(*exits, {small_case(kBad)})[0].outcome;
  EXPECT_EQ(exited.status, Status::exited);
  EXPECT_EQ(exited.code, 5);
  const auto hangs = sanitized(private_kernel("for (;;) sink = 1;"), scratch, 0.1);
  const Outcome hung = run(*hangs, {small_case(kBad)})[0].outcome;
  EXPECT_EQ(hung.status, Status::hung);
  EXPECT_DOUBLE_EQ(hung.limit, 0.4);
}

TEST(SanitizedExecutor, SurvivesAFloodOnItsOutputs) {
  const Scratch scratch;
  const auto executor = sanitized(
      private_kernel(
          "for (int i = 0; i < 300000; ++i) fputs(\"a line of text, and so on, and on\\n\", stderr);"),
      scratch);
  EXPECT_TRUE(run(*executor, {small_case(kBad)})[0].right);
}

TEST(SanitizedExecutor, WorksForCppWithAnotherCompiler) {
  const Scratch scratch;
  const std::string file = scratch.write("kernel.cpp", R"(
#include <vector>
extern "C" void fp_conv_grad_filter_p(float*, float* x, float* dw, float*, void*) {
  std::vector<float> own(3);
  try { own.at(3) = 1; } catch (const std::exception&) { dw[0] = own.data()[x == nullptr ? 0 : 3]; }
})");
  const Kernel kernel =
      open_kernel({file}, "", "", {.compiler = "clang++-16", .sanitize = true}, scratch.path());
  const Outcome outcome = run(*sanitized_executor(kernel), {small_case()})[0].outcome;
  EXPECT_TRUE(outcome.detail.starts_with("heap-buffer-overflow, read of 4 bytes")) << outcome.detail;
}

TEST(SanitizerReport, IsNotSeenInOtherOutput) {
  EXPECT_FALSE(find_report(""));
  EXPECT_FALSE(find_report("kernel.c:3: it runs\n"));
}

Case host_case() {
  Case c = small_case();
  c.host = true;
  c.accumulate = true;
  return c;
}

TEST(SanitizedExecutor, RunsARightHostKernelInAWorkspaceOfTheBytesThatItAsksFor) {
  const Scratch scratch;
  const auto executor = sanitized(host_kernel(""), scratch);
  for (const Ran& r : run(*executor, {host_case(), host_case()})) {
    EXPECT_EQ(r.outcome.status, Status::returned) << r.outcome.detail;
    EXPECT_TRUE(r.right);
    EXPECT_EQ(r.outcome.workspace, 4 * spec::dw_elems(host_case().shape));
    EXPECT_EQ(r.outcome.implementation, "plain");
  }
}

TEST(SanitizedExecutor, TellsWhatAHostKernelDoesToItsOwnArraysAndToItsWorkspace) {
  const Scratch scratch;
  const auto ran =
      run(*sanitized(host_kernel("volatile int own[3]; own[p->batch + 1] = 1; work[n] = own[0];"), scratch),
          {host_case()});
  EXPECT_EQ(ran[0].outcome.status, Status::crashed);
  EXPECT_NE(ran[0].outcome.detail, "");
  const auto past = run(*sanitized(host_kernel("work[n] = 1;"), scratch), {host_case()});
  EXPECT_EQ(past[0].outcome.stray,
            std::optional<Stray>({BufferId::workspace, 4 * spec::dw_elems(host_case().shape), true}));
}

TEST(SanitizedExecutor, TellsWhatAHostKernelRefusesAndWhereItsQueryGoesWrong) {
  const Scratch scratch;
  const auto refused =
      run(*sanitized(host_kernel("", "strcpy(text, \"never\"); return -1;"), scratch), {host_case()});
  EXPECT_EQ(refused[0].outcome.status, Status::not_run);
  EXPECT_EQ(refused[0].outcome.detail, "not supported: never");
  const auto crashed =
      run(*sanitized(host_kernel("", "text[WGRAD_TEXT] = 1;"), scratch), {host_case(), host_case()});
  EXPECT_EQ(crashed[0].outcome.status, Status::crashed) << crashed[0].outcome.detail;
  EXPECT_TRUE(crashed[0].outcome.in_query);
}

}  // namespace
}  // namespace wgradcheck::check
