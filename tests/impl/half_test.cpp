#include "impl/half.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace wgradcheck::impl {
namespace {

/// The value of a finite binary16 number by its definition.
double value_of(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Half, EveryFiniteNumberIsItsDefinitionAndComesBack) {
  for (std::uint32_t i = 0; i < 0x10000; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    if ((bits & 0x7c00) == 0x7c00) continue;
    ASSERT_EQ(to_float(Half{bits}), value_of(bits)) << i;
    ASSERT_EQ(std::signbit(to_float(Half{bits})), (bits & 0x8000) != 0) << i;
    ASSERT_EQ(to_half(to_float(Half{bits})).bits, bits) << i;
  }
}

TEST(Half, BetweenTwoNumbersTheNearerIsTakenAndAtTheMiddleTheEvenOne) {
  for (std::uint16_t low = 0; low < 0x7bff; ++low) {
    const auto high = static_cast<std::uint16_t>(low + 1);
    const auto middle = static_cast<float>((value_of(low) + value_of(high)) / 2);
    ASSERT_EQ(to_half(middle).bits, low % 2 == 0 ? low : high);
    ASSERT_EQ(to_half(std::nextafter(middle, 0.0f)).bits, low);
    ASSERT_EQ(to_half(std::nextafter(middle, kInfinity)).bits, high);
    ASSERT_EQ(to_half(-middle).bits, to_half(middle).bits | 0x8000);
  }
}

TEST(Half, WhatIsTooLargeBecomesInfinity) {
  EXPECT_EQ(to_half(65504.0f).bits, 0x7bff);
  EXPECT_EQ(to_half(std::nextafter(65520.0f, 0.0f)).bits, 0x7bff);
  EXPECT_EQ(to_half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(to_half(-1e30f).bits, 0xfc00);
  EXPECT_EQ(to_half(kInfinity).bits, 0x7c00);
}

TEST(Half, InfinityAndNanSurvive) {
  EXPECT_EQ(to_float(Half{0x7c00}), kInfinity);
  EXPECT_EQ(to_float(Half{0xfc00}), -kInfinity);
  EXPECT_TRUE(std::isnan(to_float(Half{0x7c01})));
  EXPECT_TRUE(std::isnan(to_float(to_half(std::numeric_limits<float>::quiet_NaN()))));
}

}  // namespace
}  // namespace wgradcheck::impl
