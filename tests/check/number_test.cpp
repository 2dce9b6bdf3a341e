#include "check/judge/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace wgradcheck::check {
namespace {

TEST(Number, EveryBinary16ValueSurvivesTheRoundTrip) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const auto b = static_cast<std::uint16_t>(bits);
    if (std::isnan(from_f16(b)))
      EXPECT_TRUE(std::isnan(from_f16(to_f16(from_f16(b)))));
    else
      ASSERT_EQ(to_f16(from_f16(b)), b);
  }
}

TEST(Number, EveryBfloat16ValueSurvivesTheRoundTrip) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const auto b = static_cast<std::uint16_t>(bits);
    if (!std::isnan(from_bf16(b))) {
      ASSERT_EQ(to_bf16(from_bf16(b)), b);
    }
  }
}

TEST(Number, HalfWayRoundsToTheEvenNeighbour) {
  EXPECT_EQ(rounded(DType::f16, 2049), 2048);
  EXPECT_EQ(rounded(DType::f16, 2051), 2052);
  EXPECT_EQ(rounded(DType::f16, std::nextafter(2049.0, 3000.0)), 2050);
  EXPECT_EQ(rounded(DType::bf16, 257), 256);
  EXPECT_EQ(rounded(DType::f32, 16777217), 16777216);
}

TEST(Number, Binary16OverflowsFromHalfAStepBeyondItsLargest) {
  EXPECT_EQ(rounded(DType::f16, 65519.99), 65504);
  EXPECT_EQ(rounded(DType::f16, 65520), std::numeric_limits<double>::infinity());
  EXPECT_EQ(to_f16(-1e9), 0xfc00);
}

#ifdef __FLT16_MAX__
TEST(Number, AgreesWithTheCompilersOwnBinary16) {
  for (int i = 0; i < 200000; ++i) {
    const double value = std::ldexp(std::sin(i), i % 50 - 30);
    ASSERT_EQ(rounded(DType::f16, value), static_cast<double>(static_cast<_Float16>(value))) << value;
  }
}
#endif

TEST(Number, TheNextNumberIsOneStepOfItsTypeAway) {
  EXPECT_EQ(next_toward(DType::f16, 1, 2), 1 + 0x1p-10);
  EXPECT_EQ(next_toward(DType::f16, 1, 0), 1 - 0x1p-11);
  EXPECT_EQ(next_toward(DType::f16, -1, 0), -1 + 0x1p-11);
  EXPECT_EQ(next_toward(DType::f16, 0, -3), -0x1p-24);
  EXPECT_EQ(next_toward(DType::bf16, 1, 2), 1 + 0x1p-7);
  EXPECT_EQ(next_toward(DType::f32, 1, 2), 1 + 0x1p-23);
  EXPECT_EQ(next_toward(DType::f32, -1, -2), -1 - 0x1p-23);
}

}  // namespace
}  // namespace wgradcheck::check
