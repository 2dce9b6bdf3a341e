#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "check/case.hpp"

namespace wgradcheck::check {

/// The value rounded to nearest even in binary16; beyond 65519 it is infinite. Source: IEEE 754-2019, 4.3.1.
std::uint16_t to_f16(double value);
double from_f16(std::uint16_t bits);

/// The value rounded to nearest even in bfloat16, the upper half of a binary32.
std::uint16_t to_bf16(double value);
double from_bf16(std::uint16_t bits);

/// Element i of a tensor as a double; exact for every type.
double load(DType, std::span<const std::byte> tensor, std::int64_t i);

/// Writes element i, rounded to nearest even in the type.
void store(DType, std::span<std::byte> tensor, std::int64_t i, double value);

/// The value that an element of the type holds after one rounding to nearest even.
double rounded(DType, double value);

/// The type's number next to `value`, which it holds, on the side of `target`, which differs.
double next_toward(DType, double value, double target);

/// Significant bits of the type's numbers.
constexpr int significant_bits(DType t) { return t == DType::f32 ? 24 : t == DType::f16 ? 11 : 8; }

/// Largest n such that every integer in [-n, n] is exact in the type.
constexpr std::int64_t exact_integers(DType t) { return std::int64_t{1} << significant_bits(t); }

}  // namespace wgradcheck::check
