#include "check/local_executor.hpp"

#include <csignal>
#include <optional>

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

}  // namespace
}  // namespace wgradcheck::check
