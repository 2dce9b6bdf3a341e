#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "optional.hpp"
#include "structure/shell.hpp"

namespace wgradcheck::tests {
namespace {

const std::string kConsumer = WGRADCHECK_SOURCE "/tests/consumer";
const std::string kSays = "48\nic is 4, which g = 3 does not divide\n";

/// An installation that was moved after it was made.
class Installed : public testing::Test {
 protected:
  Installed() {
    const Ran ran = sh("cmake --install '" WGRADCHECK_BUILD "' --prefix " + scratch.word("first") +
                       " && mv " + scratch.word("first") + " " + scratch.word("moved"));
    if (ran.status != 0) throw std::runtime_error(ran.output);
  }
  Scratch scratch;
};

TEST_F(Installed, TheProgramFindsItsTargets) {
  const Ran ran = sh(scratch.word("moved/bin/wgradcheck") + " check mt7004_fp32_p --cases 20 --seed 1");
  EXPECT_EQ(ran.status, 0) << ran.output;
}

TEST_F(Installed, ProvesALoopNestFromElsewhere) {
  WGRADCHECK_LONG();
  const Ran ran = sh("cp '" WGRADCHECK_SOURCE "/tests/program/schedules/by_pixels.hpp' " +
                     scratch.word("mine.hpp") + " && CXX='" WGRADCHECK_CXX "' " +
                     scratch.word("moved/bin/wgradcheck") + " prove " + scratch.word("mine.hpp"));
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_NE(ran.output.find("8 proved"), std::string::npos) << ran.output;
}

TEST_F(Installed, IsFoundByFindPackage) {
  const Ran built = sh("cmake -G Ninja -S '" + kConsumer + "' -B " + scratch.word("build") +
                       " -DCMAKE_C_COMPILER='" WGRADCHECK_C "' -DCMAKE_CXX_COMPILER='" WGRADCHECK_CXX
                       "' -DCMAKE_C_FLAGS='" WGRADCHECK_CONSUMER_FLAGS
                       "' -DCMAKE_CXX_FLAGS='" WGRADCHECK_CONSUMER_FLAGS "' -DCMAKE_PREFIX_PATH=" +
                       scratch.word("moved") + " && cmake --build " + scratch.word("build"));
  ASSERT_EQ(built.status, 0) << built.output;
  EXPECT_EQ(sh(scratch.word("build/consumer")).output, kSays);
  EXPECT_EQ(sh(scratch.word("build/gradient_c")).output, "70\n");
  EXPECT_EQ(sh(scratch.word("build/gradient_cpp")).output, "100\nrefused\n");
  const Ran tested = sh("ctest -V --no-tests=error --test-dir " + scratch.word("build"));
  EXPECT_EQ(tested.status, 0) << tested.output;
  EXPECT_NE(tested.output.find("[  PASSED  ] 4 tests."), std::string::npos) << tested.output;
}

TEST_F(Installed, IsFoundByPkgConfig) {
  const std::string program = scratch.word("consumer");
  const Ran built = sh("export PKG_CONFIG_PATH=" + scratch.word("moved/lib/pkgconfig") +
                       "; flags=$(pkg-config --cflags --libs wgradcheck) && eval \"'" WGRADCHECK_CXX
                       "' -std=c++20 " WGRADCHECK_CONSUMER_FLAGS " '" +
                       kConsumer + "/main.cpp' $flags -o " + program + "\"");
  ASSERT_EQ(built.status, 0) << built.output;
  EXPECT_EQ(sh(program).output, kSays);
}

TEST_F(Installed, TheGradientOnTheHostIsFoundByPkgConfigFromC) {
  const std::string program = scratch.word("gradient");
  const Ran built = sh("export PKG_CONFIG_PATH=" + scratch.word("moved/lib/pkgconfig") +
                       "; flags=$(pkg-config --cflags --libs wgradcheck-host) && eval \"'" WGRADCHECK_C
                       "' -std=c11 " WGRADCHECK_CONSUMER_FLAGS " '" +
                       kConsumer + "/gradient.c' $flags -o " + program + "\"");
  ASSERT_EQ(built.status, 0) << built.output;
  EXPECT_EQ(sh(program).output, "70\n");
}

}  // namespace
}  // namespace wgradcheck::tests
