#include <gmock/gmock.h>

#include "check/run/local_executor.hpp"
#include "check/search/session.hpp"
#include "tests/check/kernels.hpp"
#include "tests/optional.hpp"

namespace wgradcheck::check {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A short check of a right kernel that does `deed` in every call besides.
Verdict checked(const std::string& deed, std::uint64_t seed) {
  std::string source = private_kernel(deed);
  const std::string once = "p->buffer_size_ == " + std::to_string(kBad);
  source.replace(source.find(once), once.size(), "1");
  const Scratch scratch;
  const auto executor = executor_of(source, scratch);
  Plan plan;
  plan.domain.abi = find_abi("mt7004_fp32_p");
  plan.cases = 300;
  plan.seed = seed;
  return check_kernel(*executor, nullptr, Promises(), plan, {});
}

class ReadsBehind : public testing::TestWithParam<const char*> {};

// Where a buffer is no whole number of boundaries long, one that starts on a boundary ends before its guard
// page.
TEST_P(ReadsBehind, IsNoNeedOfAlignment) {
  for (std::uint64_t seed = 1; seed <= (tests::kSanitized ? 1 : 5); ++seed) {
    const Verdict v = checked("sink = " + std::string(GetParam()) + ";", seed);
    ASSERT_EQ(v.counterexamples.size(), 1U);
    EXPECT_EQ(v.counterexamples.front().finding.property, Property::memory);
    EXPECT_THAT(v.notes, Each(Not(HasSubstr("aligned")))) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Buffers, ReadsBehind,
                         testing::Values("x[n_x]", "x[n_x + 2]", "dy[n_dy]", "dw[n_dw]",
                                         "work[p->buffer_size_ > n_dw ? p->buffer_size_ : n_dw]"));

TEST(Alignment, ThatAKernelNeedsIsANote) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Verdict v = checked(
        "typedef float four __attribute__((vector_size(16), may_alias));\n"
        "if (n_dw >= 4) *(volatile four *)dw = *(four *)dw;",
        seed);
    EXPECT_EQ(v.answer, Verdict::Answer::pass);
    EXPECT_THAT(v.notes, ElementsAre(HasSubstr("needs buffers aligned to 16 bytes"))) << seed;
  }
}

}  // namespace
}  // namespace wgradcheck::check
