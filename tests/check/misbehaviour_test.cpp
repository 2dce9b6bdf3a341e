#include <csignal>
#include <filesystem>

#include "check/judge/finding.hpp"
#include "spec/problem_line.hpp"
#include "tests/check/kernels.hpp"

namespace wgradcheck::check {
namespace {

using Status = Outcome::Status;

/// What a kernel does in its second case, as C text, and how that must be told.
struct Misdeed {
  const char* name;
  const char* text;
  Status status;
  int code = 0;
  const char* before = "";
};

std::ostream& operator<<(std::ostream& out, const Misdeed& m) { return out << m.name; }

class Misbehaviour : public testing::TestWithParam<Misdeed> {};

TEST(Misbehaviours, AStrayAccessIsToldByItsNearestBufferEvenIfThatIsEmpty) {
  const Case c{.shape = std::get<spec::Shape>(spec::parse_line("ic1ih1oc1oh1kh1")), .workspace = 0};
  EXPECT_EQ(describe(Stray{BufferId::workspace, 521472, true}, c),
            "wrote 521472 bytes behind workspace, which is empty");
  EXPECT_EQ(describe(Stray{BufferId::dw, 4, true}, c), "wrote past the end of dw: at byte 4 of 4");
}

std::size_t children() {
  std::size_t n = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(task.path() / "children");
    for (pid_t pid = 0; list >> pid;) ++n;
  }
  return n;
}

TEST_P(Misbehaviour, IsAnOutcomeAndTheRunGoesOn) {
  const Misdeed& deed = GetParam();
  const Scratch scratch;
  {
    const auto executor = executor_of(private_kernel(deed.text, deed.before), scratch, 0.5);
    const std::vector<Case> cases{small_case(), small_case(kBad), small_case(), small_case(), large_case()};
    const auto ran = run(*executor, cases);
    for (std::size_t i = 0; i < ran.size(); ++i) {
      if (cases[i].buffer == kBad) {
        EXPECT_EQ(ran[i].outcome.status, deed.status) << ran[i].outcome.detail;
        EXPECT_EQ(ran[i].outcome.code, deed.code);
        if (deed.status != Status::returned) continue;
      }
      EXPECT_EQ(ran[i].outcome.status, Status::returned) << i << ": " << ran[i].outcome.detail;
      EXPECT_TRUE(ran[i].right) << i;
      EXPECT_FALSE(ran[i].outcome.stray) << i;
    }
  }
  EXPECT_EQ(children(), 0U);
}

TEST(LocalExecutor, IsNotConfusedByAJumpIntoAnEarlierCall) {
  const Scratch scratch;
  const auto executor =
      executor_of(private_kernel("if (calls++ == 0) setjmp(first); else longjmp(first, 1);",
                                 "#include <setjmp.h>\nstatic jmp_buf first; static int calls;"),
                  scratch, 2);
  const auto ran = run(*executor, {small_case(kBad), small_case(kBad), small_case(), small_case()});
  EXPECT_NE(ran[1].outcome.status, Status::hung);
  EXPECT_TRUE(ran[2].right);
  EXPECT_TRUE(ran[3].right);
}

TEST(LocalExecutor, DoesNotBelieveThatAKernelReturnedWhenItsProcessEndedWell) {
  const Scratch scratch;
  const auto executor = executor_of(private_kernel("_exit(0);"), scratch);
  const auto ran = run(*executor, std::vector<Case>(3, small_case(kBad)));
  for (const Ran& r : ran) EXPECT_EQ(r.outcome.status, Status::exited);
}

TEST(LocalExecutor, DoesNotWaitForCaseAfterCaseThatHangs) {
  const Scratch scratch;
  const auto executor = executor_of(private_kernel("for (;;) sink = 1;"), scratch, 0.2);
  for (int again = 0; again < 2; ++again) {
    const auto ran =
        run(*executor, {small_case(), small_case(kBad), small_case(kBad), small_case(kBad), small_case()});
    EXPECT_TRUE(ran[0].right);
    EXPECT_EQ(ran[1].outcome.status, Status::hung);
    EXPECT_EQ(ran[1].outcome.limit, 0.2);
    EXPECT_EQ(ran[2].outcome.status, Status::hung);
    for (const std::size_t i : {3U, 4U}) EXPECT_EQ(ran[i].outcome.status, Status::not_run);
  }
}

constexpr const char* kThreads = R"(
#include <pthread.h>
static void *forever(void *p) { for (;;) pause(); return p; }
)";

INSTANTIATE_TEST_SUITE_P(
    EveryKind, Misbehaviour,
    testing::Values(
        Misdeed{"NullPointer", "*(volatile int *)0 = 1;", Status::crashed, SIGSEGV},
        Misdeed{"Abort", "abort();", Status::crashed, SIGABRT},
        Misdeed{"IllegalInstruction", "__builtin_trap();", Status::crashed, SIGILL},
        Misdeed{"DivisionByZero", "volatile int zero = 0; sink = n_dw / zero;", Status::crashed, SIGFPE},
        Misdeed{"KilledFromOutside", "kill(getpid(), SIGKILL);", Status::crashed, SIGKILL,
                "#include <signal.h>"},
        Misdeed{"Alarm", "raise(SIGALRM);", Status::crashed, SIGALRM, "#include <signal.h>"},
        Misdeed{"Exit", "exit(0);", Status::exited, 0},
        Misdeed{"ExitWithStatus", "exit(3);", Status::exited, 3},
        Misdeed{"ExitAtOnce", "_exit(0);", Status::exited, 0},
        Misdeed{"ThreadExit", "pthread_exit(0);", Status::crashed, SIGABRT, kThreads},
        Misdeed{"Hang", "for (;;) sink = 1;", Status::hung},
        Misdeed{"Sleep", "for (;;) pause();", Status::hung},
        Misdeed{
            "StackOverflow", "sink = deep(1);", Status::crashed, SIGSEGV,
            "static float deep(int n) { volatile char b[999]; b[n % 999] = 1; return deep(n + 1) + b[1]; }"},
        Misdeed{"ClosedDescriptors", "for (int fd = 0; fd < 1024; ++fd) close(fd);", Status::returned},
        Misdeed{"FloodOnStdout",
                "for (int i = 0; i < 30000; ++i) puts(\"a line of text\"), fputs(\"more\\n\", stderr);",
                Status::returned},
        Misdeed{"ThreadLeftBehind", "pthread_t t; pthread_create(&t, 0, forever, 0);", Status::returned, 0,
                kThreads},
        Misdeed{"ChildLeftBehind", "if (fork() == 0) for (;;) pause();", Status::returned},
        Misdeed{"ChildThatReturnsToo", "if (fork() == 0) return;", Status::returned},
        Misdeed{"OwnSignalHandlers", "for (int s = 1; s < 32; ++s) signal(s, SIG_IGN);", Status::returned, 0,
                "#include <signal.h>"},
        Misdeed{"RoundingUpward", "fesetround(FE_UPWARD);", Status::returned, 0, "#include <fenv.h>"},
        Misdeed{"TrappingInvalid", "feenableexcept(FE_ALL_EXCEPT);", Status::returned, 0,
                "int feenableexcept(int);\n#include <fenv.h>"},
        Misdeed{"BlockedSignals",
                "sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); *(volatile int *)0 = 1;",
                Status::crashed, SIGSEGV, "#include <signal.h>"}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace wgradcheck::check
