#include "impl/simd/pack.hpp"

#include "impl/simd/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl/simd/pack.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "impl/simd/panels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::impl::simd::HWY_NAMESPACE {

Int PackedRows(Int channels) { return (channels + kQuad - 1) / kQuad * kQuad; }
Int PackedColumns(Int channels) { return (channels + kWidth - 1) / kWidth * kWidth; }

template <int Quads, class T>
HWY_INLINE void fill_quads(Int count, const T* from, Int step, float* to) {
  for (Int i = 0; i < count; ++i, from += step, to += Quads * kQuad) widen_run(Quads * kQuad, from, to);
}

/// Copies `channels` channels of each pixel into a panel of `width`, the rest zero.
template <class T>
HWY_INLINE void fill_panel(Int count, Int channels, Int width, const T* from, Int step, float* to) {
  if (channels == width && step == width) return widen_run(count * width, from, to);
  const hn::ScalableTag<float> d;
  if (channels == width && width % kWidth == 0) {
    for (Int i = 0; i < count; ++i, from += step, to += width)
      for (Int c = 0; c < width; c += kWidth) hn::StoreU(load(d, from + c), d, to + c);
    return;
  }
  if (channels == width && width == 3 * kQuad) return fill_quads<3>(count, from, step, to);
  if (channels == width && width == 2 * kQuad) return fill_quads<2>(count, from, step, to);
  if (channels == width && width == kQuad) return fill_quads<1>(count, from, step, to);
  if (kHalves && width == kWidth && channels == kWidth / 2) {
    const hn::Half<hn::ScalableTag<float>> half;
    for (Int i = 0; i < count; ++i, from += step, to += width) {
      hn::StoreU(load(half, from), half, to);
      hn::StoreU(hn::Zero(half), half, to + kWidth / 2);
    }
    return;
  }
  for (Int i = 0; i < count; ++i, from += step, to += width) {
    widen_run(channels, from, to);
    for (Int c = channels; c < width; ++c) to[c] = 0;
  }
}

// Pixels at a time: so many are in the cache while each panel takes its channels.
inline constexpr Int kTogether = 28;

template <class T, class Each>
HWY_INLINE void pack(const Each& each, Int packed, const Pack<T>& p, Int area, Int first, float* to) {
  constexpr Int kLine = 64 / static_cast<Int>(sizeof(T));
  const Int run = (p.groups - 1) * p.apart + p.channels;
  for (Int i = 0; i < p.count; i += kTogether) {
    // Jumps from pixel to pixel are not foreseen by the processor.
    if (run < p.step)
      for (Int k = kTogether; k < 2 * kTogether; ++k)
        for (Int c = 0; c < run; c += kLine) hwy::Prefetch(p.from + (i + k) * p.step + c);
    for (Int g = 0; g < p.groups; ++g)
      each(p.channels, [&](Int c, Int width) {
        fill_panel(HWY_MIN(kTogether, p.count - i), HWY_MIN(width, p.channels - c), width,
                   p.from + i * p.step + g * p.apart + c, p.step,
                   to + area * (g * packed + c) + (first + i) * width);
      });
  }
}
template <class T>
HWY_INLINE void pack_rows_of(const Pack<T>& p, Int area, Int first, float* to) {
  pack([](Int n, const auto& visit) { each_row_panel(n, visit); }, PackedRows(p.channels), p, area, first,
       to);
}
template <class T>
HWY_INLINE void pack_columns_of(const Pack<T>& p, Int area, Int first, float* to) {
  pack([](Int n, const auto& visit) { each_column_panel(n, visit); }, PackedColumns(p.channels), p, area,
       first, to);
}

/// Lanes of a vector that spread brings together from one load.
template <class T>
HWY_INLINE void spread_of(Int count, Int first, Int last, Int ins, Int outs, Int map, const T* from, Int step,
                          float* to) {
  const hn::ScalableTag<float> d;
  const Int lanes = last - first;
  for (Int l = first; l < last; l += kWidth) {
    const Int some = HWY_MIN(kWidth, last - l), base = l / ins * outs + map;
    HWY_ALIGN std::int32_t source[kWidth] = {};
    for (Int k = 0; k < some; ++k) source[k] = static_cast<std::int32_t>((l + k) / ins * outs + map - base);
    const T* pixel = from + base;
    float* lane = to + l - first;
    if (some == kWidth && source[kWidth - 1] < kWidth && step - base >= kWidth) {
      const auto table = hn::SetTableIndices(d, source);
      for (Int i = 0; i < count; ++i, pixel += step, lane += lanes)
        hn::StoreU(hn::TableLookupLanes(load(d, pixel), table), d, lane);
    } else {
      for (Int i = 0; i < count; ++i, pixel += step, lane += lanes)
        for (Int k = 0; k < some; ++k) lane[k] = to_float(pixel[source[k]]);
    }
  }
}

void RoundRun(Int count, const float* from, bool add, Half* to) {
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2
  for (Int i = 0; i < count; ++i) to[i] = to_half(add ? to_float(to[i]) + from[i] : from[i]);
#else
  each_vector(0, count, [&](auto d, Int i) HWY_ATTR {
    const hn::Rebind<hwy::float16_t, decltype(d)> narrow;
    const auto sums = add ? hn::Add(load(d, to + i), hn::LoadU(d, from + i)) : hn::LoadU(d, from + i);
    hn::StoreU(hn::DemoteTo(narrow, sums), narrow, reinterpret_cast<hwy::float16_t*>(to + i));
  });
#endif
}

// Highway's dispatch table holds plain functions.
#define WGRADCHECK_PACK(T)                                                                                 \
  void PackRows##T(const Pack<T>& p, Int area, Int first, float* to) { pack_rows_of(p, area, first, to); } \
  void PackColumns##T(const Pack<T>& p, Int area, Int first, float* to) {                                  \
    pack_columns_of(p, area, first, to);                                                                   \
  }                                                                                                        \
  void Spread##T(Int count, Int first, Int last, Int ins, Int outs, Int map, const T* from, Int step,      \
                 float* to) {                                                                              \
    spread_of(count, first, last, ins, outs, map, from, step, to);                                         \
  }
WGRADCHECK_PACK(float)
WGRADCHECK_PACK(Half)
WGRADCHECK_PACK(Bfloat)
#undef WGRADCHECK_PACK

}  // namespace wgradcheck::impl::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wgradcheck::impl::simd {

HWY_EXPORT(RoundRun);
void round_run(std::int64_t count, const float* from, bool add, Half* to) {
  HWY_DYNAMIC_DISPATCH(RoundRun)(count, from, add, to);
}

HWY_EXPORT(PackedRows);
HWY_EXPORT(PackedColumns);

std::int64_t packed_rows(std::int64_t channels) { return HWY_DYNAMIC_DISPATCH(PackedRows)(channels); }
std::int64_t packed_columns(std::int64_t channels) { return HWY_DYNAMIC_DISPATCH(PackedColumns)(channels); }

#define WGRADCHECK_PACK(T)                                                                        \
  HWY_EXPORT(PackRows##T);                                                                        \
  HWY_EXPORT(PackColumns##T);                                                                     \
  HWY_EXPORT(Spread##T);                                                                          \
  template <>                                                                                     \
  void pack_rows(const Pack<T>& p, std::int64_t area, std::int64_t first, float* to) {            \
    HWY_DYNAMIC_DISPATCH(PackRows##T)(p, area, first, to);                                        \
  }                                                                                               \
  template <>                                                                                     \
  void pack_columns(const Pack<T>& p, std::int64_t area, std::int64_t first, float* to) {         \
    HWY_DYNAMIC_DISPATCH(PackColumns##T)(p, area, first, to);                                     \
  }                                                                                               \
  template <>                                                                                     \
  void spread(std::int64_t count, std::int64_t first, std::int64_t last, std::int64_t ins,        \
              std::int64_t outs, std::int64_t map, const T* from, std::int64_t step, float* to) { \
    HWY_DYNAMIC_DISPATCH(Spread##T)(count, first, last, ins, outs, map, from, step, to);          \
  }
WGRADCHECK_PACK(float)
WGRADCHECK_PACK(Half)
WGRADCHECK_PACK(Bfloat)
#undef WGRADCHECK_PACK

}  // namespace wgradcheck::impl::simd
#endif
