#include "tests/mutants/mutants.hpp"

namespace wgradcheck {
namespace {

/// A wrong kernel must be found within ten seconds; shrinking has a limit of its own.
constexpr const char* kSearch = " --cases 2000 --seconds 10";

TEST(Mutants, EveryWrongKernelIsFoundWithItsPropertyAndItsSlip) {
  int found = 0;
  const auto wrong = mutants(false);
  for (const Mutant& m : wrong) {
    const Checked checked = run_check(m, 1, kSearch);
    const bool caught = checked.status == 1 && says(checked.report, m);
    EXPECT_EQ(caught, m.expected == "found") << m << ": " << checked.report.dump(1);
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
