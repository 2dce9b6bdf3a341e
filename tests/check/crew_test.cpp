#include <csignal>

#include "tests/check/kernels.hpp"

namespace wgradcheck::check {
namespace {

using Status = Outcome::Status;

Case on_cores(std::uint32_t mask, Case c = small_case()) {
  c.core_mask = mask;
  c.workspace = c.cores() * 4 * spec::dw_elems(c.shape);
  return c;
}

TEST(Crew, RunsASharedKernelOnEveryMaskOfABatch) {
  const Scratch scratch;
  const auto executor = executor_of(shared_kernel(""), scratch);
  std::vector<Case> cases;
  for (const std::uint32_t mask : {0x1U, 0x3U, 0xaU, 0xfU, 0x80000000U, 0x1U, 0xa5U, 0x2U})
    for (const Case& c : {small_case(), large_case(), small_case()}) cases.push_back(on_cores(mask, c));
  const auto ran = run(*executor, cases);
  for (std::size_t i = 0; i < ran.size(); ++i) {
    EXPECT_EQ(ran[i].outcome.status, Status::returned) << ran[i].outcome.detail;
    EXPECT_TRUE(ran[i].right) << cases[i].core_mask;
    EXPECT_FALSE(ran[i].outcome.stray);
    EXPECT_EQ(ran[i].outcome.workspace_used, cases[i].workspace);
  }
}

TEST(Crew, RunsAsManyCoresAsAMaskHasBits) {
  const Scratch scratch;
  const auto executor = executor_of(shared_kernel(""), scratch);
  EXPECT_TRUE(run(*executor, {on_cores(0xffffffff)})[0].right);
}

TEST(Crew, GivesEachCoreItsPhysicalNumberAndOthersANegativeRank) {
  const Scratch scratch;
  const auto executor = executor_of(shared_kernel(R"(
    const int id = get_core_id();
    if ((core_mask >> id & 1) == 0 || GetLogicCoreId(core_mask, 0) >= 0 || GetLogicCoreId(core_mask, 99) >= 0) abort();
    if (rank != (id == 1 ? 0 : id == 4 ? 1 : 2)) abort();)"),
                                    scratch);
  EXPECT_TRUE(run(*executor, {on_cores(0x92, small_case(kBad))})[0].right);
}

/// A slip of one core, or of all, and how it ends the case.
struct Slip {
  const char* name;
  const char* text;
  Status status;
  int code;
  const char* detail;
};

std::ostream& operator<<(std::ostream& out, const Slip& s) { return out << s.name; }

class OneCore : public testing::TestWithParam<Slip> {};

TEST_P(OneCore, EndsTheCaseForAllOfThemAndTheRunGoesOn) {
  const Slip& slip = GetParam();
  const Scratch scratch;
  const auto executor = executor_of(shared_kernel(slip.text), scratch, 0.5);
  const auto ran =
      run(*executor, {on_cores(0xf), on_cores(0xf, small_case(kBad)), on_cores(0x3), on_cores(0xf)});
  EXPECT_EQ(ran[1].outcome.status, slip.status);
  EXPECT_EQ(ran[1].outcome.code, slip.code);
  EXPECT_NE(ran[1].outcome.detail.find(slip.detail), std::string::npos) << ran[1].outcome.detail;
  for (const std::size_t i : {0U, 2U, 3U}) EXPECT_TRUE(ran[i].right) << i;
}

INSTANTIATE_TEST_SUITE_P(EveryKind, OneCore,
                         testing::Values(Slip{"Dies", "if (rank == 2) abort();", Status::crashed, SIGABRT,
                                              ""},
                                         Slip{"Exits", "if (rank == 1) exit(0);", Status::exited, 0, ""},
                                         Slip{"LeavesEarly", "if (rank == 3) return;", Status::hung, 0,
                                              "logical core 0 waits in sys_bar(0)"},
                                         Slip{"Sleeps", "if (rank == 3) for (;;) pause();", Status::hung, 0,
                                              "logical core 2 waits in sys_bar(0)"},
                                         Slip{"WaitsForTooMany", "sys_bar(3, cores + 1);", Status::hung, 0,
                                              "logical core 3 waits in sys_bar(3)"}),
                         [](const auto& tested) { return tested.param.name; });

TEST(Crew, SeesTwoCoresThatPassNoBarrier) {
  const Scratch scratch;
  const auto executor = executor_of(shared_kernel(R"(
    if (rank == 0) usleep(20000);
    partial[0] = 0;
    for (int i = rank; i < n_dw; i += cores) dw[i] += ((float *)p->workspace_)[i];
    return;)"),
                                    scratch);
  EXPECT_FALSE(run(*executor, {on_cores(0xf, small_case(kBad))})[0].right);
}

TEST(Crew, TellsAStrayAccessOfAnyCore) {
  const Scratch scratch;
  const auto executor = executor_of(shared_kernel("if (rank == 3) dw[n_dw] = 1;"), scratch);
  const Case c = on_cores(0xf, small_case(kBad));
  const auto ran = run(*executor, {c});
  EXPECT_EQ(ran[0].outcome.stray, std::optional<Stray>({BufferId::dw, 4 * spec::dw_elems(c.shape), true}));
}

TEST(Crew, RefusesSeveralCoresForAPrivateKernel) {
  const Scratch scratch;
  const auto executor = executor_of(private_kernel(""), scratch);
  const auto ran = run(*executor, {small_case(), on_cores(0x3), small_case()});
  EXPECT_EQ(ran[1].outcome.status, Status::not_run);
  EXPECT_EQ(ran[1].outcome.detail, "mt7004_fp32_p runs on one core, core_mask names 2");
  EXPECT_TRUE(ran[0].right && ran[2].right);
}

}  // namespace
}  // namespace wgradcheck::check
