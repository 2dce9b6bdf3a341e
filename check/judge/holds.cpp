#include "check/judge/holds.hpp"

#include <bit>

#include "check/judge/clones.hpp"

namespace wgradcheck::check {
namespace {

/// The bits of integers below 2^25 in magnitude, rounded to nearest even in an element type; 0 has no sign.
std::uint32_t bits_of_float(std::int32_t value) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

std::uint32_t bits_of_half(std::int32_t value) {
  const std::uint32_t bits = bits_of_float(value), magnitude = bits & 0x7fffffff;
  // An integer other than 0 is normal in binary16; 65520 lies halfway to the number after the largest.
  const std::uint32_t half = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  const std::uint32_t finite = magnitude == 0 ? 0 : half;
  return (bits >> 16 & 0x8000) | (magnitude >= 0x477ff000 ? 0x7c00 : finite);
}

std::uint32_t bits_of_bfloat(std::int32_t value) {
  const std::uint32_t bits = bits_of_float(value);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/// Whether a tensor of Bits holds these integers, rounded; a zero of either sign is one.
template <class Bits, class ToBits>
[[gnu::always_inline]] inline bool holds_all(const std::byte* bytes, const std::int32_t* values,
                                             std::size_t count, ToBits to_bits) {
  constexpr std::uint32_t kMinusZero = 1u << (8 * sizeof(Bits) - 1);
  const auto* const tensor = reinterpret_cast<const Bits*>(bytes);
  std::uint32_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t seen = tensor[i];
    wrong |= (seen == kMinusZero ? 0 : seen) ^ to_bits(values[i]);
  }
  return wrong == 0;
}
WGRADCHECK_FOR_EACH_CPU bool holds_f32(const std::byte* t, const std::int32_t* values, std::size_t count) {
  return holds_all<std::uint32_t>(t, values, count, [](std::int32_t v) { return bits_of_float(v); });
}
WGRADCHECK_FOR_EACH_CPU bool holds_f16(const std::byte* t, const std::int32_t* values, std::size_t count) {
  return holds_all<std::uint16_t>(t, values, count, [](std::int32_t v) { return bits_of_half(v); });
}
WGRADCHECK_FOR_EACH_CPU bool holds_bf16(const std::byte* t, const std::int32_t* values, std::size_t count) {
  return holds_all<std::uint16_t>(t, values, count, [](std::int32_t v) { return bits_of_bfloat(v); });
}

}  // namespace

bool holds(DType t, std::span<const std::byte> tensor, std::span<const std::int32_t> values) {
  const auto holds_in = t == DType::f32 ? holds_f32 : t == DType::f16 ? holds_f16 : holds_bf16;
  return holds_in(tensor.data(), values.data(), values.size());
}

}  // namespace wgradcheck::check
