#include "tests/mutants/mutants.hpp"

namespace wgradcheck {
namespace {

/// The program and its children may take so long to find a wrong kernel; time on the clock depends on what
/// else runs.
constexpr double kSeconds = 10;

TEST(Mutants, EveryWrongKernelIsFoundWithItsPropertyAndItsSlip) {
  int found = 0;
  const auto wrong = mutants(false);
  for (const Mutant& m : wrong) {
    const Checked checked = check(m, 1, " --cases 2000");
    const bool caught = checked.status == 1 && says(checked.report, m);
    EXPECT_EQ(caught, m.expected == "found") << m << ": " << checked.report.dump(1);
    EXPECT_LT(checked.seconds, kSeconds) << m;
    found += caught;
  }
  std::printf("found %d of %zu\n", found, wrong.size());
}

TEST(Mutants, NoRightKernelIsBlamed) {
  constexpr int kSeeds = 5;
  std::printf("blamed %d of %zu, %d seeds each\n", blamed(kSeeds), mutants(true).size(), kSeeds);
}

}  // namespace
}  // namespace wgradcheck
