#include "check/run/local_executor.hpp"

#include <cmath>
#include <csignal>
#include <optional>

#include "check/judge/judge.hpp"
#include "tests/check/kernels.hpp"

namespace wgradcheck::check {
namespace {

using Status = Outcome::Status;

TEST(LocalExecutor, RunsARightKernelOnSmallAndLargeCases) {
  const Scratch scratch;
  const auto executor = executor_of(private_kernel(""), scratch);
  std::vector<Case> cases;
  for (int i = 0; i < 150; ++i) cases.push_back(i % 10 == 9 ? large_case() : small_case());
  for (const Ran& r : run(*executor, cases)) {
    EXPECT_EQ(r.outcome.status, Status::returned) << r.outcome.detail;
    EXPECT_TRUE(r.right);
    EXPECT_FALSE(r.outcome.stray);
    EXPECT_EQ(r.outcome.workspace_used, 0);
  }
}

/// An access that no buffer allows, as C text, and how it must be told. Offsets count bytes from the start of
/// the buffer, or from its end where `from_end`.
struct Access {
  const char* name;
  const char* text;
  Placement placement;
  BufferId buffer;
  std::int64_t offset;
  bool from_end;
  bool write;
};

std::ostream& operator<<(std::ostream& out, const Access& a) { return out << a.name; }

class StrayAccess : public testing::TestWithParam<Access> {};

TEST_P(StrayAccess, IsToldToTheByteAndTheRunGoesOn) {
  const Access& access = GetParam();
  const Scratch scratch;
  const auto executor = executor_of(private_kernel(access.text), scratch);
  const auto bytes_of = [&](const Case& c) {
    const spec::Shape& s = c.shape;
    const std::array<std::int64_t, kBuffers> bytes{4 * spec::dy_elems(s),
                                                   4 * spec::x_elems(s),
                                                   4 * spec::dw_elems(s),
                                                   4 * bias_elems(c),
                                                   88,
                                                   c.workspace};
    return bytes[static_cast<std::size_t>(access.buffer)];
  };
  std::vector<Case> cases{small_case(), small_case(kBad, access.placement), small_case(),
                          large_case(), large_case(kBad, access.placement), small_case()};
  for (Case& c : cases) c.bias = Bias::column;
  const auto ran = run(*executor, cases);
  for (std::size_t i = 0; i < ran.size(); ++i) {
    const Outcome& outcome = ran[i].outcome;
    if (cases[i].buffer != kBad) {
      EXPECT_EQ(outcome.status, Status::returned) << outcome.detail;
      EXPECT_TRUE(ran[i].right);
      EXPECT_FALSE(outcome.stray);
      continue;
    }
    EXPECT_EQ(outcome.status, Status::crashed);
    EXPECT_EQ(outcome.code, SIGSEGV);
    const std::int64_t offset = access.offset + (access.from_end ? bytes_of(cases[i]) : 0);
    EXPECT_EQ(outcome.stray, std::optional<Stray>({access.buffer, offset, access.write}))
        << name_of(outcome.stray->buffer) << " " << outcome.stray->offset << " " << offset;
  }
}

constexpr Placement kEnd = Placement::flush_end, kStart = Placement::flush_start;

INSTANTIATE_TEST_SUITE_P(
    EveryBufferAndSide, StrayAccess,
    testing::Values(
        Access{"ReadAfterDy", "sink = dy[n_dy];", kEnd, BufferId::dy, 0, true, false},
        Access{"ReadAfterX", "sink = x[n_x];", kEnd, BufferId::x, 0, true, false},
        Access{"ReadAfterDw", "sink = dw[n_dw];", kEnd, BufferId::dw, 0, true, false},
        Access{"ReadAfterBias", "sink = bias[n_bias];", kEnd, BufferId::bias, 0, true, false},
        Access{"ReadAfterParam", "sink = ((int *)p)[22];", kEnd, BufferId::param, 0, true, false},
        Access{"ReadAfterWorkspace", "sink = work[n_work];", kEnd, BufferId::workspace, 0, true, false},
        Access{"ReadBeforeDy", "sink = dy[-1];", kStart, BufferId::dy, -4, false, false},
        Access{"ReadBeforeX", "sink = x[-1];", kStart, BufferId::x, -4, false, false},
        Access{"ReadBeforeDw", "sink = dw[-1];", kStart, BufferId::dw, -4, false, false},
        Access{"ReadBeforeBias", "sink = bias[-1];", kStart, BufferId::bias, -4, false, false},
        Access{"ReadBeforeParam", "sink = ((int *)p)[-1];", kStart, BufferId::param, -4, false, false},
        Access{"ReadBeforeWorkspace", "sink = work[-1];", kStart, BufferId::workspace, -4, false, false},
        Access{"WriteAfterDy", "dy[n_dy] = 1;", kEnd, BufferId::dy, 0, true, true},
        Access{"WriteAfterX", "x[n_x + 2] = 1;", kEnd, BufferId::x, 8, true, true},
        Access{"WriteAfterDw", "dw[n_dw] = 1;", kEnd, BufferId::dw, 0, true, true},
        Access{"WriteAfterBias", "bias[n_bias] = 1;", kEnd, BufferId::bias, 0, true, true},
        Access{"WriteAfterParam", "((int *)p)[22] = 1;", kEnd, BufferId::param, 0, true, true},
        Access{"WriteAfterWorkspace", "work[n_work] = 1;", kEnd, BufferId::workspace, 0, true, true},
        Access{"WriteBeforeDy", "dy[-1] = 1;", kStart, BufferId::dy, -4, false, true},
        Access{"WriteBeforeX", "x[-3] = 1;", kStart, BufferId::x, -12, false, true},
        Access{"WriteBeforeDw", "dw[-1] = 1;", kStart, BufferId::dw, -4, false, true},
        Access{"WriteBeforeBias", "bias[-1] = 1;", kStart, BufferId::bias, -4, false, true},
        Access{"WriteBeforeParam", "((int *)p)[-1] = 1;", kStart, BufferId::param, -4, false, true},
        Access{"WriteBeforeWorkspace", "work[-1] = 1;", kStart, BufferId::workspace, -4, false, true}),
    [](const auto& tested) { return tested.param.name; });

TEST(LocalExecutor, TellsARoundingModeThatWasLeftChanged) {
  EXPECT_TRUE(outcome_of("fesetround(FE_UPWARD);", small_case(kBad), "#include <fenv.h>\n").floats_altered);
  EXPECT_FALSE(outcome_of("", small_case(kBad)).floats_altered);
}

TEST(LocalExecutor, FillsWhatIsAllocatedWithNumbersThatAreNotZero) {
  const char* reads = "char* a = malloc(1 << 18); if (a[90] == 0) abort(); free(a);";
  EXPECT_EQ(outcome_of(reads, small_case(kBad), "#include <stdlib.h>\n").status, Status::returned);
}

TEST(Inputs, CannotBeWrittenNotEvenTheirOwnValues) {
  for (const auto& [text, id] : {std::pair{"*(volatile float *)x = *x;", BufferId::x},
                                 {"*(volatile float *)dy = *dy;", BufferId::dy}}) {
    const Case c = small_case(kBad);
    const Outcome outcome = outcome_of(text, c);
    EXPECT_EQ(outcome.stray, std::optional<Stray>({id, 0, true}));
    const auto findings = judge(c, make_data(c, {}), Promises(), outcome, {}).findings;
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].property, Property::rules);
    EXPECT_EQ(findings[0].detail, std::string("wrote to its input ") + name_of(id) + "[n0][h0][w0][c0]");
  }
}

TEST(Slack, IsSeenToBeWrittenWhereNoPageFaults) {
  const std::int64_t dw = 4 * spec::dw_elems(small_case().shape), dy = 4 * spec::dy_elems(small_case().shape);
  EXPECT_EQ(outcome_of("dw[-1] = 1;", small_case(kBad)).stray,
            std::optional<Stray>({BufferId::dw, -1, true}));
  EXPECT_EQ(outcome_of("dw[n_dw] = 1;", small_case(kBad, Placement::flush_start)).stray,
            std::optional<Stray>({BufferId::dw, dw, true}));
  EXPECT_EQ(outcome_of("dy[n_dy + 5] = 1;", large_case(kBad, Placement::aligned)).stray,
            std::optional<Stray>({BufferId::dy, 4 * spec::dy_elems(large_case().shape) + 20, true}));
  EXPECT_EQ(outcome_of("((char *)dy)[n_dy * 4] = 1;", small_case(kBad, Placement::aligned)).stray,
            std::optional<Stray>({BufferId::dy, dy, true}));
}

TEST(Slack, AndWorkspaceHoldNaNForWhoReadsThem) {
  const Scratch scratch;
  const auto before =
      executor_of(private_kernel("dw[0] = dy[-1]; dw[1] = work[0]; dw[2] = work[n_work - 1];"), scratch);
  const auto after =
      executor_of(private_kernel("dw[0] = x[n_x]; dw[1] = dw[n_dw]; dw[2] = work[1];"), scratch);
  const auto ran = run(*before, {small_case(kBad), large_case(kBad)});
  const auto more =
      run(*after, {small_case(kBad, Placement::flush_start), large_case(kBad, Placement::flush_start)});
  for (const auto* dw : {&ran[0].dw, &ran[1].dw, &more[0].dw, &more[1].dw})
    for (const std::size_t i : {0U, 1U, 2U}) EXPECT_TRUE(std::isnan((*dw)[i])) << i;
}

TEST(Workspace, UseIsCountedToTheLastByte) {
  EXPECT_EQ(outcome_of("", small_case(kBad)).workspace_used, 0);
  EXPECT_EQ(outcome_of("work[0] = 1;", small_case(kBad)).workspace_used, 4);
  EXPECT_EQ(outcome_of("((char *)work)[9000] = 1;", small_case(kBad)).workspace_used, 9001);
  EXPECT_EQ(outcome_of("work[n_work - 1] = 1;", large_case(kBad)).workspace_used, 4 * kBad);
}

TEST(Workspace, HasExactlyTheBytesOfTheCase) {
  for (const std::int64_t bytes : {0, 1, 88, 4096, 4097, 100000}) {
    Case c = small_case(kBad);
    c.workspace = bytes;
    const std::string last = std::to_string((bytes + 3) / 4 * 4);
    const Outcome outcome = outcome_of("((volatile char *)work)[" + last + "] = 1;", c);
    EXPECT_EQ(outcome.stray, std::optional<Stray>({BufferId::workspace, (bytes + 3) / 4 * 4, true})) << bytes;
  }
}

TEST(Parameter, ChangesAreNamed) {
  EXPECT_EQ(outcome_of("p->stride_w_ = 7;", small_case(kBad)).param_changed, "stride_w_");
  EXPECT_EQ(outcome_of("p->workspace_ = 0;", small_case(kBad)).param_changed, "workspace_");
  EXPECT_EQ(outcome_of("p->pad_r_ += 1;", small_case(kBad)).param_changed, "pad_r_");
  EXPECT_EQ(outcome_of("p->pad_r_ += 1; p->pad_r_ -= 1;", small_case(kBad)).param_changed, "");
}

TEST(Parameter, HoldsTheCaseByTheDocumentsNames) {
  const char* check = R"(
    if (p->output_batch_ != 2 || p->input_batch_ != 2 || p->input_h_ != 5 || p->input_w_ != 4) abort();
    if (p->output_h_ != 3 || p->output_w_ != 3 || p->input_channel_ != 3 || p->output_channel_ != 2) abort();
    if (p->kernel_h_ != 3 || p->kernel_w_ != 2 || p->group_ != 1 || p->pad_l_ != 0 || p->pad_u_ != 1) abort();
    if (p->dilation_h_ != 1 || p->dilation_w_ != 1 || p->stride_h_ != 2 || p->stride_w_ != 1) abort();
    if (p->pad_d_ != 1 || p->pad_r_ != 0 || bias != 0) abort();)";
  EXPECT_EQ(outcome_of(check, small_case(kBad)).status, Status::returned);
}

TEST(LocalExecutor, TellsAccessesNearNoBuffer) {
  EXPECT_EQ(outcome_of("*(volatile int *)8 = 1;", small_case(kBad)).detail,
            "wrote to address 0x8, by a null pointer");
  EXPECT_EQ(outcome_of("sink = *(volatile float *)0x400000000000;", small_case(kBad)).detail,
            "read an address near no buffer");
  EXPECT_EQ(
      outcome_of(
          "sink = deep(1);", small_case(kBad),
          "static float deep(int n) { volatile char b[999]; b[n % 999] = 1; return deep(n + 1) + b[1]; }")
          .detail,
      "the stack overflowed");
}

TEST(LocalExecutor, TellsAMisalignedVectorAccessFromAStrayOne) {
  const Outcome outcome = outcome_of("*(volatile v4 *)(dy + 1) = (v4){0};", small_case(kBad),
                                     "typedef float v4 __attribute__((vector_size(16)));");
  EXPECT_EQ(outcome.status, Status::crashed);
  EXPECT_FALSE(outcome.stray);
  EXPECT_EQ(outcome.detail, "a misaligned vector access or a wild address");
}

TEST(LocalExecutor, RunsCasesOfAnySizeInOneBatch) {
  const Scratch scratch;
  const auto executor = executor_of(private_kernel("dw[0] = 0;"), scratch);
  std::vector<Case> cases;
  for (int i = 0; i < 20; ++i) {
    Case c = large_case(kBad);
    c.shape.batch = std::int64_t{1} << i % 10;
    c.workspace = i % 4 == 0 ? 40 << 20 : 0;
    cases.push_back(c);
  }
  cases[7].workspace = 200 << 20;
  for (const Ran& r : run(*executor, cases)) EXPECT_EQ(r.outcome.status, Status::returned);
}

TEST(LocalExecutor, RefusesWhatTheConventionCannotExpress) {
  const Scratch scratch;
  const auto executor = executor_of(private_kernel(""), scratch);
  std::vector<Case> cases(6, small_case());
  cases[0].shape.depth.input = 2;
  cases[1].dtype = DType::f16;
  cases[2].core_mask = 0;
  cases[3].buffer = std::int64_t{1} << 31;
  cases[4].shape.batch = std::int64_t{1} << 30;
  cases[4].shape.in_channels = std::int64_t{1} << 30;
  cases[4].shape.height.input = std::int64_t{1} << 30;
  const std::vector<std::string> why{
      "mt7004_fp32_p has no depth axis", "the case's element type is not that of mt7004_fp32_p",
      "core_mask names no core", "buffer_size_ = 2147483648 does not fit an int",
      "a tensor's size in bytes does not fit 64 bits"};
  const auto ran = run(*executor, cases);
  for (std::size_t i = 0; i < why.size(); ++i) {
    EXPECT_EQ(ran[i].outcome.status, Status::not_run);
    EXPECT_EQ(ran[i].outcome.detail, why[i]);
  }
  EXPECT_TRUE(ran[5].right);
}

TEST(LocalExecutor, HandsShapesOverThatAKernelMustRefuse) {
  const Scratch scratch;
  const auto executor = executor_of("void fp_conv_grad_filter_p(void) {}", scratch);
  std::vector<Case> cases(4, small_case(kBad));
  cases[0].shape.groups = 0;
  cases[1].shape.batch = -1;
  cases[2].shape.height.stride = 0;
  cases[3].shape.in_channels = -5;
  for (const Ran& r : run(*executor, cases))
    EXPECT_EQ(r.outcome.status, Status::returned) << r.outcome.detail;
}

}  // namespace
}  // namespace wgradcheck::check
