#include "impl/bfloat.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace wgradcheck::impl {
namespace {

/// The value of a finite bfloat16 number by its definition.
double value_of(std::uint16_t bits) {
  const int exponent = bits >> 7 & 255;
  const int fraction = bits & 127;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -133) : std::ldexp(128 + fraction, exponent - 134);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Bfloat, EveryFiniteNumberIsItsDefinitionAndComesBack) {
  for (std::uint32_t i = 0; i < 0x10000; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    if ((bits & 0x7f80) == 0x7f80) continue;
    ASSERT_EQ(to_float(Bfloat{bits}), value_of(bits)) << i;
    ASSERT_EQ(std::signbit(to_float(Bfloat{bits})), (bits & 0x8000) != 0) << i;
    ASSERT_EQ(to_bfloat(to_float(Bfloat{bits})).bits, bits) << i;
  }
}

TEST(Bfloat, BetweenTwoNumbersTheNearerIsTakenAndAtTheMiddleTheEvenOne) {
  for (std::uint16_t low = 0; low < 0x7f7f; ++low) {
    const auto high = static_cast<std::uint16_t>(low + 1);
    const auto middle = static_cast<float>((value_of(low) + value_of(high)) / 2);
    ASSERT_EQ(to_bfloat(middle).bits, low % 2 == 0 ? low : high);
    ASSERT_EQ(to_bfloat(std::nextafter(middle, 0.0f)).bits, low);
    ASSERT_EQ(to_bfloat(std::nextafter(middle, kInfinity)).bits, high);
    ASSERT_EQ(to_bfloat(-middle).bits, to_bfloat(middle).bits | 0x8000);
  }
}

TEST(Bfloat, WhatIsTooLargeBecomesInfinity) {
  const auto largest = static_cast<float>(value_of(0x7f7f));
  const auto middle = static_cast<float>(value_of(0x7f7f) + std::ldexp(1, 119));
  EXPECT_EQ(to_bfloat(largest).bits, 0x7f7f);
  EXPECT_EQ(to_bfloat(std::nextafter(middle, 0.0f)).bits, 0x7f7f);
  EXPECT_EQ(to_bfloat(middle).bits, 0x7f80);
  EXPECT_EQ(to_bfloat(-std::numeric_limits<float>::max()).bits, 0xff80);
  EXPECT_EQ(to_bfloat(kInfinity).bits, 0x7f80);
}

TEST(Bfloat, InfinityAndNanSurvive) {
  EXPECT_EQ(to_float(Bfloat{0x7f80}), kInfinity);
  EXPECT_EQ(to_float(Bfloat{0xff80}), -kInfinity);
  EXPECT_TRUE(std::isnan(to_float(Bfloat{0x7f81})));
  EXPECT_TRUE(std::isnan(to_float(to_bfloat(std::numeric_limits<float>::quiet_NaN()))));
  // What is cut off may be all of a NaN's fraction.
  EXPECT_TRUE(std::isnan(to_float(to_bfloat(std::bit_cast<float>(0x7f800001u)))));
}

}  // namespace
}  // namespace wgradcheck::impl
