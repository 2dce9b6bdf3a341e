#pragma once
#include <bit>
#include <cstdint>

namespace wgradcheck::impl {

/// An IEEE binary16 number as its bits, on any compiler.
struct Half {
  std::uint16_t bits;
};

/// A bfloat16 number as its bits: the upper half of a binary32.
struct Bfloat {
  std::uint16_t bits;
};

constexpr float to_float(Bfloat b) { return std::bit_cast<float>(std::uint32_t{b.bits} << 16); }

/// The value, which float holds exactly; a NaN keeps its payload.
constexpr float to_float(Half h) {
  const std::uint32_t sign = (h.bits & 0x8000u) << 16;
  const std::uint32_t magnitude = h.bits & 0x7fffu;
  if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
  if (magnitude >= 0x0400u) return std::bit_cast<float>(sign | ((magnitude << 13) + (112u << 23)));
  const float subnormal = static_cast<float>(magnitude) * 0x1p-24f;
  return sign != 0 ? -subnormal : subnormal;
}
constexpr float to_float(float f) { return f; }

/// The nearest binary16 number, ties to even; beyond 65504 infinity as IEEE 754 says. NaN gives a quiet NaN.
constexpr Half to_half(float f) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const auto half = [sign](std::uint32_t m) { return Half{static_cast<std::uint16_t>(sign | m)}; };
  if (magnitude > 0x7f800000u) return half(0x7e00u | (magnitude >> 13 & 0x3ffu));
  if (magnitude >= 0x477ff000u) return half(0x7c00u);  // 65520, halfway to the number after the largest
  if (magnitude < 0x38800000u) {                       // below 2^-14 the spacing is that of 2^-24
    // Adding 0.5 leaves multiples of 2^-24 in float's last place, rounded by the hardware's own ties to even.
    const float aligned = std::bit_cast<float>(magnitude) + 0.5f;
    return half(std::bit_cast<std::uint32_t>(aligned) - 0x3f000000u);
  }
  const std::uint32_t odd = magnitude >> 13 & 1u;
  return half((magnitude - (112u << 23) + 0xfffu + odd) >> 13);
}

}  // namespace wgradcheck::impl
