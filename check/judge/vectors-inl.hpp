// What the identity's vector code shares; compiled once for each instruction set, so without #pragma once.
#if defined(WGRADCHECK_JUDGE_VECTORS) == defined(HWY_TARGET_TOGGLE)
#ifdef WGRADCHECK_JUDGE_VECTORS
#undef WGRADCHECK_JUDGE_VECTORS
#else
#define WGRADCHECK_JUDGE_VECTORS
#endif

#include <hwy/highway.h>

#include "check/judge/vectors.hpp"

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::check::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// Products of 32 bits fill lanes of 64; a vector of 32-bit lanes holds the even and the odd factors.
using D64 = hn::ScalableTag<std::int64_t>;
using DU64 = hn::ScalableTag<std::uint64_t>;
using D32 = hn::ScalableTag<std::int32_t>;
using DU32 = hn::ScalableTag<std::uint32_t>;
using D16 = hn::ScalableTag<std::int16_t>;
using V64 = hn::Vec<D64>;
using VU64 = hn::Vec<DU64>;
using V32 = hn::Vec<D32>;
using VU32 = hn::Vec<DU32>;
inline constexpr auto kLanes64 = static_cast<std::int64_t>(hn::MaxLanes(D64()));
inline constexpr auto kLanes32 = 2 * kLanes64;
inline constexpr auto kLanes16 = 4 * kLanes64;

/// The odd lanes of 32 bits in the places of the even ones.
HWY_INLINE V32 odds(V32 v) { return hn::BitCast(D32(), hn::ShiftRight<32>(hn::BitCast(DU64(), v))); }
HWY_INLINE VU32 odds(VU32 v) { return hn::BitCast(DU32(), hn::ShiftRight<32>(hn::BitCast(DU64(), v))); }

/// A vector that holds the lower halves of two vectors' lanes, in its even and its odd lanes.
HWY_INLINE VU32 joined(VU64 even, VU64 odd) {
  return hn::BitCast(DU32(), hn::Or(even, hn::ShiftLeft<32>(odd)));
}

/// The number below 2^32 of numbers below 2^61 that is the same modulo the prime, and less than it.
HWY_INLINE VU64 reduced(VU64 number) {
  const auto high = hn::ShiftRight<32>(number), prime = hn::Set(DU64(), kPrime);
  const auto folded =
      hn::Add(hn::Add(high, hn::ShiftLeft<2>(high)), hn::And(number, hn::Set(DU64(), 0xffffffff)));
  // Where nothing is to be taken off, taking it off wraps to a large number.
  return hn::Min(folded, hn::Sub(folded, prime));
}

/// The residues of numbers up to 2^60 - 2^31 in magnitude, as residue() takes them.
HWY_INLINE VU64 residues(V64 number) {
  return reduced(hn::BitCast(DU64(), hn::Add(number, hn::Set(D64(), kPrime << 28))));
}

#endif

}  // namespace wgradcheck::check::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
