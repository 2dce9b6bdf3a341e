#pragma once
#include <bit>
#include <cstdint>

namespace wgradcheck::impl {

/// A bfloat16 number as its bits: the upper half of a float.
struct Bfloat {
  std::uint16_t bits;
};

/// The value, which float holds exactly.
constexpr float to_float(Bfloat b) { return std::bit_cast<float>(static_cast<std::uint32_t>(b.bits) << 16); }

/// The nearest bfloat16 number, ties to even; NaN gives a quiet NaN.
constexpr Bfloat to_bfloat(float f) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return {static_cast<std::uint16_t>(bits >> 16 | 0x40u)};
  return {static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

}  // namespace wgradcheck::impl
