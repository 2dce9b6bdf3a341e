#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "targets/ascend/driver.hpp"
#include "tests/targets/ascend.hpp"

namespace wgradcheck::targets::ascend {
namespace {

/// Numbers that are NaN or equal.
bool same(const std::vector<float>& a, const std::vector<float>& b) {
  return std::ranges::equal(a, b,
                            [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

template <class T>
class AscendDriver : public testing::Test {};
using Elements = testing::Types<half, bfloat16_t>;
TYPED_TEST_SUITE(AscendDriver, Elements);

TYPED_TEST(AscendDriver, EqualsTheDefinitionWithNanInEveryPaddingLane) {
  using T = TypeParam;
  EXPECT_TRUE(rc::check([] {
    const spec::Shape s = *any_ascend_shape();
    const int cores = *rc::gen::inRange(1, 5);
    const auto sharing = *rc::gen::element(Sharing::atomic, Sharing::owned);
    const Packed<T> p(s, *rc::gen::arbitrary<std::uint32_t>());
    const auto x = p.packed_x(), dy = p.packed_dy();
    const auto dw = p.packed_dw(kNan);
    gradient(x.data(), dy.data(), dw.data(), tiled(s), cores, sharing);
    RC_ASSERT(same(p.unpacked(dw), p.expected()));
  }));
}

TYPED_TEST(AscendDriver, AddsEveryShareToWhatIsThere) {
  using T = TypeParam;
  const spec::Shape s{2, 1, 17, 33, {3, 3, 2, 1, 2, 1}, {7, 7, 3, 1, 1, 1}, {9, 5, 3, 2, 1, 1}};
  const Packed<T> p(s, 3);
  const auto x = p.packed_x(), dy = p.packed_dy();
  const auto dw = p.packed_dw(5);
  for (int core = 0; core < 3; ++core)
    add_share(x.data(), dy.data(), dw.data(), tiled(s), core, 3, Sharing::atomic);
  EXPECT_EQ(p.unpacked(dw), p.expected(5));
}

TYPED_TEST(AscendDriver, OwnersGiveTheSameBitsForAnyNumberOfCores) {
  using T = TypeParam;
  const spec::Shape s{3, 1, 20, 150, {4, 4, 3, 1, 1, 1}, {20, 20, 3, 1, 1, 1}, {20, 20, 3, 1, 1, 1}};
  const Packed<T> p(s, 5, 0.37f);
  const auto x = p.packed_x(), dy = p.packed_dy();
  const auto run = [&](int cores) {
    const auto dw = p.packed_dw(kNan);
    gradient(x.data(), dy.data(), dw.data(), tiled(s), cores, Sharing::owned);
    return p.unpacked(dw);
  };
  const std::vector<float> one = run(1);
  for (const int cores : {2, 3, 7}) EXPECT_EQ(run(cores), one) << cores;
}

TYPED_TEST(AscendDriver, TilesOfEverySizeAndOrderGiveTheSameSums) {
  using T = TypeParam;
  const spec::Shape s{1, 1, 40, 40, {2, 2, 1, 1, 1, 0}, {6, 6, 3, 1, 1, 1}, {5, 5, 3, 1, 1, 1}};
  const Packed<T> p(s, 6);
  const auto x = p.packed_x(), dy = p.packed_dy();
  const std::vector<float> expected = p.expected();
  for (const std::uint32_t base : {16U, 32U, 48U})
    for (const std::uint32_t order : {0U, 1U})
      for (const std::uint32_t rows : {1U, 4U, 9U}) {
        Conv3DBackpropFilterTilingData t = tiled(s);
        t.dwTiling.baseM = base, t.dwTiling.baseN = 64 - base, t.dwTiling.iterateOrder = order;
        t.dwTiling.stepM = 2, t.dwTiling.stepN = 3;
        t.basicBlockTiling = {32, 16 * 9, rows * 5 + 3};
        for (const auto sharing : {Sharing::atomic, Sharing::owned}) {
          const auto dw = p.packed_dw(kNan);
          gradient(x.data(), dy.data(), dw.data(), t, 2, sharing);
          EXPECT_EQ(p.unpacked(dw), expected) << base << " " << order << " " << rows;
        }
      }
}

TYPED_TEST(AscendDriver, OneElementOfTheGradientReadsWhatItsTapsMeet) {
  using T = TypeParam;
  const spec::Shape s{1, 1, 17, 18, spec::kNoAxis, {7, 7, 3, 1, 1, 1}, {9, 5, 3, 2, 1, 1}};
  Packed<T> p(s, 9);
  for (std::size_t i = 0; i < p.x.size(); ++i) p.x[i] = static_cast<float>(i % 251 + 1);
  const auto x = p.packed_x();
  for (std::size_t pixel = 0; pixel < 35; ++pixel)
    for (const std::size_t channel : {0U, 15U, 16U, 17U}) {
      std::ranges::fill(p.dy, 0.0f);
      p.dy[pixel * 18 + channel] = 1;
      const auto dy = p.packed_dy();
      const auto dw = p.packed_dw(kNan);
      gradient(x.data(), dy.data(), dw.data(), tiled(s), 1, Sharing::atomic);
      ASSERT_EQ(p.unpacked(dw), p.expected()) << pixel << " " << channel;
    }
}

TYPED_TEST(AscendDriver, APaddedTapOfAnInfiniteGradientAddsNothing) {
  using T = TypeParam;
  const spec::Shape s{1, 1, 3, 2, spec::kNoAxis, {5, 5, 3, 1, 1, 1}, {5, 5, 3, 1, 1, 1}};
  Packed<T> p(s, 8);
  p.dy[0] = std::numeric_limits<float>::infinity();  // position (0, 0), which five taps meet in the padding
  const auto x = p.packed_x(), dy = p.packed_dy();
  const auto dw = p.packed_dw(0);
  gradient(x.data(), dy.data(), dw.data(), tiled(s), 1, Sharing::atomic);
  const std::vector<float> got = p.unpacked(dw);
  EXPECT_TRUE(same(got, p.expected()));
  EXPECT_TRUE(std::isfinite(got.front()));
}

TEST(AscendShapes, WhatTheEngineWouldGetWrongHasNoTiling) {
  const auto why = [](const spec::Shape& s) {
    const auto t = tiling_of(s);
    const auto* const text = std::get_if<std::string>(&t);
    return text == nullptr ? "" : *text;
  };
  const spec::Axis<std::int64_t> plain{5, 5, 3, 1, 1, 1};
  EXPECT_EQ(why({1, 1, 3, 2, plain, plain, plain}), "");
  EXPECT_EQ(why({1, 2, 4, 2, plain, plain, plain}), "group is 2, not 1");
  EXPECT_EQ(why({1, 1, 3, 2, plain, {5, 7, 3, 1, 1, 3}, plain}),
            "padUp is 3, not under the dilated kernel's height of 3");
  EXPECT_EQ(why({1, 1, 3, 2, plain, {5, 7, 3, 1, 2, 3}, plain}), "");
  EXPECT_EQ(why({1, 1, 3, 2, plain, {5, 6, 1, 1, 1, 0}, plain}),
            "padDown is 1, not under the dilated kernel's height of 1");
  // Rows and columns that no tap reads: a height may leave them, a width would shear the rows.
  EXPECT_EQ(why({1, 1, 3, 2, plain, {9, 5, 3, 1, 1, 1}, plain}), "");
  EXPECT_EQ(why({1, 1, 3, 2, plain, plain, {9, 5, 3, 1, 1, 1}}),
            "wo is 5, but wi, wk, padLeft, padRight, strideW and dilationW make it 8");
  EXPECT_EQ(why({1, 1, 3, 2, plain, plain, {5, 5, 33, 1, 1, 16}}), "wk is 33, over 32");
}

}  // namespace
}  // namespace wgradcheck::targets::ascend
