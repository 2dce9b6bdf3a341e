#include "impl/conv_grad_filter.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <barrier>
#include <limits>
#include <thread>

#include "tests/impl/guarded.hpp"
#include "tests/impl/problems.hpp"

namespace wgradcheck::impl {
namespace {

using Int = std::int64_t;

/// dw after a call on one core in private memory, every buffer ending at an inaccessible page and the
/// workspace holding NaN.
template <class T>
std::vector<float> run_on_one(const spec::Call<Int>& call, const Numbers& n, Packing packing) {
  const Guarded<T> dy(rounded<T>(n.dy)), x(rounded<T>(n.x)), dw(rounded<T>(n.dw)), bias(rounded<T>(n.bias));
  const Guarded<float> workspace(std::vector<float>(static_cast<std::size_t>(call.buffer_size),
                                                    std::numeric_limits<float>::quiet_NaN()));
  run_private<T>(call, {dy.data(), x.data(), dw.data(), n.bias.empty() ? nullptr : bias.data()},
                 workspace.data(), packing);
  return floats(dw.copy());
}

/// dw after a call on all cores, each a thread.
template <class T>
std::vector<float> run_on_cores(const spec::Call<Int>& call, const Numbers& n, Packing packing) {
  const Guarded<T> dy(rounded<T>(n.dy)), x(rounded<T>(n.x)), dw(rounded<T>(n.dw)), bias(rounded<T>(n.bias));
  const Guarded<float> workspace(
      std::vector<float>(static_cast<std::size_t>(spec::documented_workspace(call) / spec::kFloatBytes),
                         std::numeric_limits<float>::quiet_NaN()));
  std::barrier<> meeting(call.core_num);
  std::vector<std::jthread> cores;
  for (Int id = 0; id < call.core_num; ++id)
    cores.emplace_back([&, id] {
      run_shared<T>(
          call, {dy.data(), x.data(), dw.data(), n.bias.empty() ? nullptr : bias.data()}, workspace.data(),
          id, [&meeting] { meeting.arrive_and_wait(); }, packing);
    });
  cores.clear();
  return floats(dw.copy());
}

rc::Gen<Packing> any_packing() { return rc::gen::element(Packing::rows, Packing::panels); }

bool takes_bias(const spec::Call<Int>& call) { return spec::path_of(call) != spec::Path::depthwise; }

template <class T>
void equals_the_definition_on_one_core() {
  const auto shape = *any_2d_shape();
  const auto call = spec::call_of(shape, sizeof(T), 1, *any_buffer(shape, sizeof(T)));
  const Numbers n(shape, *rc::gen::arbitrary<std::uint32_t>(),
                  takes_bias(call) && *rc::gen::arbitrary<bool>());
  RC_ASSERT(run_on_one<T>(call, n, *any_packing()) == n.expected(shape));
}
RC_GTEST_PROP(PrivateFloat, EqualsTheDefinition, ()) { equals_the_definition_on_one_core<float>(); }
RC_GTEST_PROP(PrivateHalf, EqualsTheDefinition, ()) { equals_the_definition_on_one_core<Half>(); }

template <class T>
void equals_the_definition_on_any_cores() {
  const auto shape = *any_2d_shape();
  const auto call =
      spec::call_of(shape, sizeof(T), *rc::gen::inRange<Int>(1, 6), *any_buffer(shape, sizeof(T)));
  const Numbers n(shape, *rc::gen::arbitrary<std::uint32_t>(),
                  takes_bias(call) && *rc::gen::arbitrary<bool>());
  RC_ASSERT(run_on_cores<T>(call, n, *any_packing()) == n.expected(shape));
}
RC_GTEST_PROP(SharedFloat, EqualsTheDefinition, ()) { equals_the_definition_on_any_cores<float>(); }
RC_GTEST_PROP(SharedHalf, EqualsTheDefinition, ()) { equals_the_definition_on_any_cores<Half>(); }

template <class T>
void buffer_and_packing_change_no_bit() {
  const auto shape = *any_2d_shape();
  Numbers n(shape, *rc::gen::arbitrary<std::uint32_t>(), false);
  for (auto* numbers : {&n.dy, &n.x})
    for (float& f : *numbers) f = f / 3 + 0.01f;
  const auto run = [&](Int buffer, Packing packing) {
    return run_on_one<T>(spec::call_of(shape, sizeof(T), 1, buffer), n, packing);
  };
  RC_ASSERT(run(*any_buffer(shape, sizeof(T)), *any_packing()) == run(0x10000, Packing::panels));
}
RC_GTEST_PROP(PrivateFloat, BufferAndPackingChangeNoBit, ()) { buffer_and_packing_change_no_bit<float>(); }
RC_GTEST_PROP(PrivateHalf, BufferAndPackingChangeNoBit, ()) { buffer_and_packing_change_no_bit<Half>(); }

/// What the definition gives where dy holds an infinity: the sum in double, which adds no padded product.
std::vector<float> expected_with_infinity(const spec::Shape& s, const Numbers& n) {
  std::vector<float> out = n.expected(s);
  for (float& f : out)
    if (!(std::abs(f) <= std::numeric_limits<float>::max())) f = std::numeric_limits<float>::infinity();
  return out;
}

template <class T>
void an_infinity_at_a_padded_tap_stays_out(bool shared) {
  const auto shape = *any_2d_shape();
  const auto call = spec::call_of(shape, sizeof(T), shared ? 2 : 1, *any_buffer(shape, sizeof(T)));
  Numbers n(shape, *rc::gen::arbitrary<std::uint32_t>(), false);
  for (float& f : n.x) f = f * f + 1;  // positive, so that no infinities meet with opposite signs
  n.dy[*rc::gen::inRange<std::size_t>(0, n.dy.size())] = std::numeric_limits<float>::infinity();
  const auto packing = *any_packing();
  const auto got = shared ? run_on_cores<T>(call, n, packing) : run_on_one<T>(call, n, packing);
  RC_ASSERT(got == expected_with_infinity(shape, n));
}
RC_GTEST_PROP(PrivateFloat, AnInfinityAtAPaddedTapStaysOut, ()) {
  an_infinity_at_a_padded_tap_stays_out<float>(false);
}
RC_GTEST_PROP(PrivateHalf, AnInfinityAtAPaddedTapStaysOut, ()) {
  an_infinity_at_a_padded_tap_stays_out<Half>(false);
}
RC_GTEST_PROP(SharedFloat, AnInfinityAtAPaddedTapStaysOut, ()) {
  an_infinity_at_a_padded_tap_stays_out<float>(true);
}

/// One element of dW, the sum of four products, in binary16.
float half_sum(float old, const std::vector<float>& dy, const std::vector<float>& x, bool shared) {
  const spec::Axis<Int> line{4, 4, 1, 1, 1, 0};
  const spec::Shape shape{1, 1, 1, 1, spec::kNoAxis, {1, 1, 1, 1, 1, 0}, line};
  Numbers n(shape, 0, false);
  n.dw = {old}, n.dy = dy, n.x = x;
  const auto call = spec::call_of(shape, sizeof(Half), shared ? 3 : 1, 8);
  return (shared ? run_on_cores<Half>(call, n, Packing::panels)
                 : run_on_one<Half>(call, n, Packing::panels))[0];
}

TEST(Half, ASumIsRoundedOnceWithTheOldValueInIt) {
  for (const bool shared : {false, true}) {
    // Each product is a quarter of 2048's last place: rounded one by one, they would all be lost.
    EXPECT_EQ(half_sum(2048, {0.5, 0.5, 0.5, 0.5}, {1, 1, 1, 1}, shared), 2050);
    // The products alone are 2049, a tie that goes to 2048; the old value decides it first.
    EXPECT_EQ(half_sum(1, {2048, 1, 0, 0}, {1, 1, 0, 0}, shared), 2050);
    EXPECT_EQ(half_sum(0, {2048, 1, 0, 0}, {1, 1, 0, 0}, shared), 2048);
  }
}

TEST(Half, ASumBeyondTheLargestNumberIsInfinityButAPartialOneIsNot) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const bool shared : {false, true}) {
    EXPECT_EQ(half_sum(0, {60000, 60000, 0, 0}, {1, 1, 0, 0}, shared), kInfinity);
    EXPECT_EQ(half_sum(0, {60000, 60000, -60000, 0}, {1, 1, 1, 0}, shared), 60000);
  }
}

}  // namespace
}  // namespace wgradcheck::impl
