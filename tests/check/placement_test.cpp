#include "check/run/local_executor.hpp"
#include "spec/problem_line.hpp"
#include "tests/check/kernels.hpp"

namespace wgradcheck::check {
namespace {

using Status = Outcome::Status;

TEST(Placement, KeepsAPromisedAlignment) {
  for (const std::int64_t align : {4, 16, 64, 4096}) {
    const std::string odd =
        "(((size_t)dy | (size_t)x | (size_t)dw | (size_t)work) % " + std::to_string(align) + ")";
    for (const Placement placement : kPlacements) {
      Case c = small_case(kBad, placement);
      c.align = align;
      EXPECT_EQ(outcome_of("if (" + odd + ") abort();", c).status, Status::returned) << align;
    }
  }
  EXPECT_EQ(outcome_of("if ((size_t)dw % 64 == 0) abort();", small_case(kBad)).status, Status::returned);
}

TEST(Placement, LeastKeepsNoLargerAlignmentThanMustBe) {
  for (const std::int64_t align : {0, 4, 16, 32, 64, 2048}) {
    Case c = small_case(kBad, Placement::least);
    c.align = align;
    // dy, x and dw of pages or half pages, which could lie anywhere.
    c.shape = std::get<spec::Shape>(spec::parse_line("mb1ic16ih8iw8oc16oh8ow8kh1kw1"));
    const std::string larger = std::to_string(2 * std::max<std::int64_t>(align, 4));
    const std::string odd = "((size_t)dy % " + larger + " && (size_t)x % " + larger + " && (size_t)dw % " +
                            larger + " && (size_t)work % " + larger + ")";
    const Outcome told = outcome_of("if (!" + odd + ") abort(); sink = dy[n_dy - 1];", c);
    EXPECT_EQ(told.status, Status::returned) << align;
    EXPECT_EQ(outcome_of("dw[n_dw] = 1;", c).stray, std::optional<Stray>({BufferId::dw, 1024, true}));
  }
}

TEST(Placement, BuffersOfWholePagesMoveBeyondTheirSlot) {
  const Scratch scratch;
  const auto executor = executor_of(private_kernel(""), scratch);
  std::vector<Case> cases(20, small_case(1 << 12, Placement::least));
  for (std::size_t i = 0; i < cases.size(); i += 3)
    cases[i].shape = std::get<spec::Shape>(spec::parse_line("mb1ic32ih4iw8oc7oh4ow8kh1kw1"));
  for (const Ran& r : run(*executor, cases))
    EXPECT_EQ(r.outcome.status, Status::returned) << r.outcome.detail;
}

TEST(Placement, LeavesThePromisedSlackReadable) {
  Case c = small_case(kBad);
  c.read_slack = 64;
  EXPECT_EQ(outcome_of("sink = x[n_x + 15]; sink = dw[n_dw + 15];", c).status, Status::returned);
  EXPECT_EQ(outcome_of("sink = x[n_x + 16];", c).stray,
            std::optional<Stray>({BufferId::x, 4 * spec::x_elems(c.shape) + 64, false}));
  EXPECT_EQ(outcome_of("x[n_x + 15] = 1;", c).stray,
            std::optional<Stray>({BufferId::x, 4 * spec::x_elems(c.shape) + 60, true}));
}

}  // namespace
}  // namespace wgradcheck::check
