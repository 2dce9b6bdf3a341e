#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <barrier>
#include <bit>
#include <limits>
#include <thread>

#include "tests/impl/guarded.hpp"
#include "tests/impl/problems.hpp"
#include "tests/targets/target.hpp"

namespace {

// The machine: a core is a thread. The loaded targets find these four functions in this program.
thread_local int this_core = 0;
std::barrier<>* meeting = nullptr;

}  // namespace

extern "C" {
int get_core_id(void) { return this_core; }
int GetLogicCoreId(int core_mask, int core_id) {
  const auto mask = static_cast<unsigned>(core_mask);
  return (mask >> core_id & 1u) == 0 ? -1 : std::popcount(mask & ((1u << core_id) - 1u));
}
int GetCoreNum(int core_mask) { return std::popcount(static_cast<unsigned>(core_mask)); }
void sys_bar(int, int) {
  if (meeting != nullptr) meeting->arrive_and_wait();
}
}

namespace wgradcheck {
namespace {

/// dw after a call on every core of the mask, every buffer ending at an inaccessible page and the workspace,
/// of the documented size, holding NaN.
template <class Element, class T, class Function>
std::vector<float> run(Function* entry, const spec::Call<std::int64_t>& call, const Numbers& n,
                       unsigned mask) {
  const Guarded<T> dy(rounded<T>(n.dy)), x(rounded<T>(n.x)), dw(rounded<T>(n.dw)), bias(rounded<T>(n.bias));
  const Guarded<float> workspace(
      std::vector<float>(static_cast<std::size_t>(spec::documented_workspace(call) / spec::kFloatBytes),
                         std::numeric_limits<float>::quiet_NaN()));
  const auto as = [](const Guarded<T>& g) { return reinterpret_cast<Element*>(g.data()); };
  ConvParameter param = param_of(call, workspace.data());
  std::barrier<> barrier(std::popcount(mask));
  meeting = &barrier;
  {
    std::vector<std::jthread> cores;
    for (int core = 0; core < 32; ++core)
      if ((mask >> core & 1u) != 0)
        cores.emplace_back([&, core] {
          this_core = core;
          entry(as(dy), as(x), as(dw), n.bias.empty() ? nullptr : as(bias), &param, static_cast<int>(mask));
        });
  }
  meeting = nullptr;
  return floats(dw.copy());
}

template <class Element, class T, class Function>
void equals_the_definition(const Target& target, const char* symbol, const std::vector<unsigned>& masks) {
  const auto entry = target.find<Function>(symbol);
  EXPECT_TRUE(rc::check([&] {
    const auto shape = *any_2d_shape();
    const unsigned mask = *rc::gen::elementOf(masks);
    const auto call = spec::call_of(shape, sizeof(T), std::popcount(mask), *any_buffer(shape, sizeof(T)));
    const bool bias = spec::path_of(call) != spec::Path::depthwise && *rc::gen::arbitrary<bool>();
    const Numbers n(shape, *rc::gen::arbitrary<std::uint32_t>(), bias);
    RC_ASSERT((run<Element, T>(entry, call, n, mask)) == n.expected(shape));
  }));
}

TEST(Shared, EqualsTheDefinitionForMasksWithGapsAndMoreCoresThanWork) {
  const std::vector<unsigned> masks{0b1, 0b1111, 0b1010, 0b1000'0001, 0x80000001u, 0b100};
  for (const char* name : {"mt7004", "ft78ne"})
    equals_the_definition<float, float, FloatShared>(Target(name), "fp_conv_grad_filter_s", masks);
  equals_the_definition<float16, impl::Half, HalfShared>(Target("mt7004"), "hp_conv_grad_filter_s", masks);
}

TEST(Shared, OneImageOnEightCoresAddsTheBiasOnce) {
  const Target target("mt7004");
  const spec::Shape s = square(1, 2, 4, 6, {6, 4, 3, 1, 1, 0});
  const Numbers n(s, 3, true);
  const auto entry = target.find<FloatShared>("fp_conv_grad_filter_s");
  EXPECT_EQ((run<float, float>(entry, spec::call_of(s, 4, 8, 144), n, 0xff)), n.expected(s));
}

TEST(Shared, RealDataGiveTheSameBitsAgain) {
  const Target target("mt7004");
  const spec::Shape s = square(7, 1, 5, 6, {9, 9, 3, 1, 1, 1});
  Numbers n(s, 3, false);
  for (float& f : n.x) f = f / 3 + 0.01f;
  const auto entry = target.find<FloatShared>("fp_conv_grad_filter_s");
  const auto once = run<float, float>(entry, spec::call_of(s, 4, 3, 0x1000), n, 0b111);
  for (int i = 0; i < 20; ++i)
    ASSERT_EQ((run<float, float>(entry, spec::call_of(s, 4, 3, 0x1000), n, 0b111)), once);
}

}  // namespace
}  // namespace wgradcheck
