#include <gtest/gtest.h>

#include "optional.hpp"
#include "structure/shell.hpp"

namespace wgradcheck::tests {
namespace {

class Cross : public testing::TestWithParam<const char*> {};

TEST_P(Cross, TheHostKernelsAreRightUnderAnEmulator) {
  const std::string what = GetParam(), machine = what == "riscv64" ? what : "aarch64";
  WGRADCHECK_NEEDS(machine + "-linux-gnu-g++");
  WGRADCHECK_NEEDS("qemu-" + machine);
  const Scratch scratch;
  const Ran ran = sh("'" WGRADCHECK_SOURCE "/tests/cross/run' " + what + " " + scratch.word("build"));
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_NE(ran.output.find("48 runs, 0 wrong\n"), std::string::npos) << ran.output;
}

INSTANTIATE_TEST_SUITE_P(Machines, Cross, testing::Values("neon", "sve128", "sve256", "riscv64"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace wgradcheck::tests
