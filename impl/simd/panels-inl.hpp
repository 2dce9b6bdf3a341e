// The panels that pixels are packed in, once for each instruction set.
#if defined(WGRADCHECK_IMPL_SIMD_PANELS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef WGRADCHECK_IMPL_SIMD_PANELS_INL_HPP
#undef WGRADCHECK_IMPL_SIMD_PANELS_INL_HPP
#else
#define WGRADCHECK_IMPL_SIMD_PANELS_INL_HPP
#endif

#include "impl/simd/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::impl::simd::HWY_NAMESPACE {

using Int = std::int64_t;
inline constexpr Int kQuad = 4;
// The register tile: quads of rows times vectors of columns leave room for the vectors of b and one of a.
inline constexpr bool kManyRegisters = !HWY_ARCH_X86 || HWY_TARGET <= HWY_AVX3;
inline constexpr Int kQuads = kManyRegisters ? 3 : 1;
inline constexpr Int kVectors = kManyRegisters ? 2 : 3;
// Half a vector takes half the time where 512 bits are computed as two halves, and never more.
inline constexpr bool kHalves = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3;
inline constexpr Int kWidth = static_cast<Int>(kLanes);

/// Calls visit(first, width) for the panels that rows are packed in: whole quads, as even as can be.
template <class Visit>
HWY_INLINE void each_row_panel(Int rows, const Visit& visit) {
  const Int quads = (rows + kQuad - 1) / kQuad;
  const Int panels = (quads + kQuads - 1) / kQuads;
  for (Int i = 0; i < panels; ++i)
    visit(kQuad * (quads * i / panels), kQuad * (quads * (i + 1) / panels - quads * i / panels));
}

/// The same for columns: whole vectors.
template <class Visit>
HWY_INLINE void each_column_panel(Int columns, const Visit& visit) {
  const Int vectors = (columns + kWidth - 1) / kWidth;
  for (Int v = 0; v < vectors; v += kVectors) visit(v * kWidth, kWidth * HWY_MIN(kVectors, vectors - v));
}

}  // namespace wgradcheck::impl::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
