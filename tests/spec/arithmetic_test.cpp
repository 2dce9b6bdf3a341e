#include <gtest/gtest.h>

#include "spec/checked.hpp"
#include "spec/rules.hpp"

namespace wgradcheck::spec {
namespace {

using Byte = Checked<std::int8_t>;

/// What the operation gives in a byte, or nothing when it overflows.
template <class Op>
std::optional<std::int64_t> in_a_byte(Op op) {
  try {
    return op().value();
  } catch (const Overflow&) {
    return std::nullopt;
  }
}

std::optional<std::int64_t> if_it_fits(std::int64_t value) {
  return value >= -128 && value <= 127 ? std::optional(value) : std::nullopt;
}

TEST(Checked, AgreesWithUnboundedIntegersOnEveryPairOfBytes) {
  for (int a = -128; a < 128; ++a)
    for (int b = -128; b < 128; ++b) {
      const Byte x(a), y(b);
      ASSERT_EQ(in_a_byte([&] { return x + y; }), if_it_fits(a + b));
      ASSERT_EQ(in_a_byte([&] { return x - y; }), if_it_fits(a - b));
      ASSERT_EQ(in_a_byte([&] { return x * y; }), if_it_fits(a * b));
      ASSERT_EQ(x < y, a < b);
      ASSERT_EQ(x == y, a == b);
    }
}

TEST(Checked, RefusesAValueThatItsTypeCannotHold) {
  EXPECT_THROW(Byte(128), Overflow);
  EXPECT_THROW(Checked<std::int32_t>(std::int64_t{1} << 31), Overflow);
  EXPECT_EQ(Checked<std::int32_t>((std::int64_t{1} << 31) - 1).value(), 2147483647);
}

TEST(Arith, FloorAndCeilingDivisionBracketTheQuotient) {
  for (std::int64_t a = -128; a < 128; ++a)
    for (std::int64_t b = 1; b < 128; ++b) {
      const std::int64_t down = floor_div(a, b), up = ceil_div(a, b);
      ASSERT_TRUE(down * b <= a && a < (down + 1) * b) << a << " / " << b;
      ASSERT_TRUE((up - 1) * b < a && a <= up * b) << a << " / " << b;
      ASSERT_EQ(floor_div(Byte(a), Byte(b)).value(), down);
    }
}

TEST(Arith, CeilingDivisionNeedsNoRoomAboveItsOperand) {
  EXPECT_EQ(ceil_div(Byte(127), Byte(2)).value(), 64);
  EXPECT_THROW(Byte(127) + Byte(2) - Byte(1), Overflow);  // the textbook's (a + b - 1) / b
}

TEST(Checked, TheDocumentsSizesOverflowThirtyTwoBits) {
  Call<Checked<std::int32_t>> c{1, 1, 4, 4, 2, 2, 4, 4, 3, 3, 1, 0, 0, 1, 1, 1, 1, 1 << 29, 0, 0, 4, 1, 0};
  EXPECT_THROW(chunk_workspace(c), Overflow);
  c.buffer_size = (1 << 29) - 1;
  EXPECT_EQ(chunk_workspace(c).value(), 2147483644);
}

}  // namespace
}  // namespace wgradcheck::spec
