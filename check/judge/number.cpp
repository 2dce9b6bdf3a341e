#include "check/judge/number.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace wgradcheck::check {
namespace {

/// A binary format narrower than double: bits of its fraction, and the exponent of its smallest normal.
struct Format {
  int fraction_bits, min_exponent;
  double largest;
};
constexpr Format kF16{10, -14, 65504.0};
constexpr Format kBf16{7, -126, 0x1.fep127};

/// Rounds to the format's grid around the value; nearbyint rounds to nearest even.
double on_grid(const Format& f, double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), f.min_exponent);
  const double step = std::ldexp(1.0, exponent - f.fraction_bits);
  const double result = std::nearbyint(value / step) * step;
  return std::abs(result) > f.largest ? std::copysign(std::numeric_limits<double>::infinity(), value)
                                      : result;
}

template <class T>
T read(std::span<const std::byte> tensor, std::int64_t i) {
  T value;
  std::memcpy(&value, tensor.data() + i * static_cast<std::int64_t>(sizeof value), sizeof value);
  return value;
}

template <class T>
void write(std::span<std::byte> tensor, std::int64_t i, T value) {
  std::memcpy(tensor.data() + i * static_cast<std::int64_t>(sizeof value), &value, sizeof value);
}

}  // namespace

std::uint16_t to_f16(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00);
  const double magnitude = std::abs(on_grid(kF16, value));
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | 0x7c00);
  // Subnormals and the exponent field share one scale: the grid step of the smallest normal.
  if (magnitude < 0x1p-14) return static_cast<std::uint16_t>(sign | static_cast<int>(magnitude * 0x1p24));
  const int exponent = std::ilogb(magnitude);
  const int fraction = static_cast<int>((std::ldexp(magnitude, -exponent) - 1) * 1024);
  return static_cast<std::uint16_t>(sign | (exponent + 15) << 10 | fraction);
}

double from_f16(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31)
    return fraction ? std::numeric_limits<double>::quiet_NaN()
                    : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24));
}

std::uint16_t to_bf16(double value) {
  if (std::isnan(value)) return 0x7fc0;
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(on_grid(kBf16, value))) >>
                                    16);
}

double from_bf16(std::uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
}

double load(DType t, std::span<const std::byte> tensor, std::int64_t i) {
  if (t == DType::f32) return static_cast<double>(read<float>(tensor, i));
  const auto bits = read<std::uint16_t>(tensor, i);
  return t == DType::f16 ? from_f16(bits) : from_bf16(bits);
}

void store(DType t, std::span<std::byte> tensor, std::int64_t i, double value) {
  if (t == DType::f32) return write(tensor, i, static_cast<float>(value));
  write(tensor, i, t == DType::f16 ? to_f16(value) : to_bf16(value));
}

double rounded(DType t, double value) {
  if (t == DType::f32) return static_cast<double>(static_cast<float>(value));
  return on_grid(t == DType::f16 ? kF16 : kBf16, value);
}

double next_toward(DType t, double value, double target) {
  if (t == DType::f32)
    return static_cast<double>(
        std::nextafter(static_cast<float>(value), target > value ? std::numeric_limits<float>::infinity()
                                                                 : -std::numeric_limits<float>::infinity()));
  const auto from = t == DType::f16 ? from_f16 : from_bf16;
  if (value == 0) return from(target > 0 ? 0x0001 : 0x8001);
  // Bits count magnitudes.
  const int bits = t == DType::f16 ? to_f16(value) : to_bf16(value);
  return from(static_cast<std::uint16_t>((target > value) == (value > 0) ? bits + 1 : bits - 1));
}

}  // namespace wgradcheck::check
