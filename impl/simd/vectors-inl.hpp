// What the micro-kernels share, once for each instruction set.
#if defined(WGRADCHECK_IMPL_SIMD_VECTORS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef WGRADCHECK_IMPL_SIMD_VECTORS_INL_HPP
#undef WGRADCHECK_IMPL_SIMD_VECTORS_INL_HPP
#else
#define WGRADCHECK_IMPL_SIMD_VECTORS_INL_HPP
#endif

#include <hwy/highway.h>

#include "impl/bfloat.hpp"
#include "impl/half.hpp"

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::impl::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<float>());

/// A vector of floats, or of numbers of lanes, that an array can hold.
#if HWY_TARGET == HWY_SVE_256 || HWY_TARGET == HWY_SVE2_128
typedef svfloat32_t SizedFloats __attribute__((arm_sve_vector_bits(__ARM_FEATURE_SVE_BITS)));
typedef svuint32_t SizedIndices __attribute__((arm_sve_vector_bits(__ARM_FEATURE_SVE_BITS)));
template <class D>
using Floats = SizedFloats;
template <class D>
using Indices = SizedIndices;
#else
template <class D>
using Floats = hn::Vec<D>;
template <class D>
using Indices = decltype(hn::SetTableIndices(D(), static_cast<const std::int32_t*>(nullptr)));
#endif

template <class D>
HWY_INLINE hn::Vec<D> load(D d, const float* from) {
  return hn::LoadU(d, from);
}

template <class D>
HWY_INLINE hn::Vec<D> load(D d, const Half* from) {
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2
  // Highway's own conversion without F16C loses infinities.
  alignas(64) float lanes[hn::MaxLanes(D())];
  for (std::size_t i = 0; i < hn::MaxLanes(D()); ++i) lanes[i] = to_float(from[i]);
  return hn::Load(d, lanes);
#else
  return hn::PromoteTo(
      d, hn::LoadU(hn::Rebind<hwy::float16_t, D>(), reinterpret_cast<const hwy::float16_t*>(from)));
#endif
}

template <class D>
HWY_INLINE hn::Vec<D> load(D d, const Bfloat* from) {
  const hn::Rebind<std::uint32_t, D> wide;
  const hn::Rebind<std::uint16_t, D> narrow;
  const auto bits = hn::LoadU(narrow, reinterpret_cast<const std::uint16_t*>(from));
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(wide, bits)));
}

/// Asks for a line of memory, not into the first cache: what is computed meanwhile needs that.
HWY_INLINE void ask_for(const std::byte* at) { __builtin_prefetch(at, 0, 2); }

/// Calls body(tag, i) for vectors that cover [i, count) exactly: of N lanes as long as they fit, then of
/// half.
template <std::size_t N = kLanes, class Body>
HWY_INLINE void each_vector(std::int64_t i, std::int64_t count, const Body& body) {
  constexpr auto kStep = static_cast<std::int64_t>(N);
  for (; i + kStep <= count; i += kStep) body(hn::CappedTag<float, N>(), i);
  if constexpr (N > 1)
    if (i < count) each_vector<N / 2>(i, count, body);
}

/// to[i] = from[i] as float for i in [0, count).
template <class T>
HWY_INLINE void widen_run(std::int64_t count, const T* from, float* to) {
  each_vector(0, count, [&](auto d, std::int64_t c) { hn::StoreU(load(d, from + c), d, to + c); });
}

}  // namespace wgradcheck::impl::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
