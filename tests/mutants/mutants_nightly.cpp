#include "tests/mutants/mutants.hpp"

namespace wgradcheck {
namespace {

TEST(Mutants, NoRightKernelIsBlamedInFiftySeeds) {
  constexpr int kSeeds = 50;
  std::printf("blamed %d of %zu, %d seeds each\n", blamed(kSeeds), mutants(true).size(), kSeeds);
}

}  // namespace
}  // namespace wgradcheck
