#include "check/bench/bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/kernel.hpp"
#include "spec/problem_line.hpp"
#include "tests/check/host_kernels.hpp"

namespace wgradcheck::check {
namespace {

using testing::HasSubstr;

constexpr const char* kPeer = R"(
int wgrad_peer(const wgrad_problem* p, const void* dy, const void* x, void* dw, void* work, int reorder) {
  return reorder == RETURNS ? 5 : wgrad_kernel(p, dy, x, dw, work);
}
)";

/// A kernel of these tests as a library.
std::string library(const Scratch& folder, const std::string& name, const std::string& text) {
  return open_kernel({folder.write(name, text)}, "", "", {}, folder.path()).library;
}

spec::Shape shape() { return std::get<spec::Shape>(spec::parse_line("mb1ic2ih4oc2oh4kh1")); }

TEST(BenchLibrary, AKernelThatRefusesIsNotTimed) {
  const Scratch folder;
  const Bench refuses(library(folder, "k.c", host_kernel("return 7;")), "");
  try {
    refuses.measure(shape(), DType::f32, 1);
    FAIL() << "it was timed";
  } catch (const BadInput& bad) {
    EXPECT_EQ(bad.sentence, "mb1ic2ih4oc2oh4kh1: the kernel returns 7");
  }
}

TEST(BenchLibrary, APeerThatRefusesInEitherWayIsNoneAndSaysSo) {
  const Scratch folder;
  const std::string right = library(folder, "k.c", host_kernel(""));
  for (const std::string returns : {"0", "1", "2"}) {
    const std::string peer =
        library(folder, "p" + returns + ".c", host_kernel("") + "#define RETURNS " + returns + kPeer);
    const Measured m = Bench(right, peer).measure(shape(), DType::f32, 1);
    EXPECT_EQ(m.peer.has_value(), returns == "2");
    EXPECT_EQ(m.no_peer, returns == "2" ? "" : "it returns 5");
    EXPECT_TRUE(!m.peer || m.peer->same);
  }
}

}  // namespace
}  // namespace wgradcheck::check
