#include "impl/simd/outer.hpp"

#include <algorithm>
#include <bit>

#include "impl/simd/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl/simd/outer.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "impl/simd/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::impl::simd::HWY_NAMESPACE {

using Int = std::int64_t;
inline constexpr Int kQuad = 4;
// The register tile: quads of rows times vectors of columns leave room for the vectors of b and one of a.
inline constexpr bool kManyRegisters = !HWY_ARCH_X86 || HWY_TARGET <= HWY_AVX3;
inline constexpr Int kQuads = kManyRegisters ? 3 : 1;
inline constexpr Int kVectors = kManyRegisters ? 2 : 3;
inline constexpr Int kWidth = static_cast<Int>(kLanes);

/// Calls visit(first, width) for the panels that rows are packed in: whole quads, as even as can be.
template <class Visit>
HWY_INLINE void each_row_panel(Int rows, const Visit& visit) {
  const Int quads = (rows + kQuad - 1) / kQuad;
  const Int panels = (quads + kQuads - 1) / kQuads;
  for (Int i = 0; i < panels; ++i)
    visit(kQuad * (quads * i / panels), kQuad * (quads * (i + 1) / panels - quads * i / panels));
}

/// The same for rows that are not packed: as even as can be.
template <class Visit>
HWY_INLINE void each_run_of_rows(Int rows, const Visit& visit) {
  constexpr Int kMost = kQuads * kQuad;
  const Int runs = (rows + kMost - 1) / kMost;
  for (Int i = 0; i < runs; ++i) visit(rows * i / runs, rows * (i + 1) / runs - rows * i / runs);
}

/// The same for columns: whole vectors.
template <class Visit>
HWY_INLINE void each_column_panel(Int columns, const Visit& visit) {
  const Int vectors = (columns + kWidth - 1) / kWidth;
  for (Int v = 0; v < vectors; v += kVectors) visit(v * kWidth, kWidth * HWY_MIN(kVectors, vectors - v));
}

/// The panel of `width` channels from `first` on, its steps in floats.
HWY_INLINE Pixels panel_of(const Pixels& p, Int first, Int width) {
  if (p.area == 0) return {p.at + p.first + first, 0, p.plane, p.line, p.pixel, 0};
  return {p.at + p.area * first + p.first * width, 0, p.plane * width, p.line * width, p.pixel * width, 0};
}

/// P panels of R rows, side by side in dW, times one vector in registers over the whole box: fewer vectors
/// than rows of a panel would leave the sums waiting for one another. Panel i of a is `apart` floats behind
/// the one before.
template <int P, int R>
HWY_INLINE void narrow_tile(const Box& box, const Pixels& a, Int apart, const Pixels& b, float* sums,
                            Int step, bool fresh) {
  const hn::ScalableTag<float> d;
  hn::Vec<hn::ScalableTag<float>> acc[P * R];
  for (int r = 0; r < P * R; ++r) acc[r] = fresh ? hn::Zero(d) : hn::LoadU(d, sums + r * step);
  for (Int p = 0; p < box.planes; ++p)
    for (Int y = 0; y < box.lines; ++y) {
      const float* HWY_RESTRICT row = a.at + p * a.plane + y * a.line;
      const float* HWY_RESTRICT column = b.at + p * b.plane + y * b.line;
      for (Int x = box.pixels; x > 0; --x, row += a.pixel, column += b.pixel) {
        const auto right = hn::LoadU(d, column);
        HWY_UNROLL(16)
        for (int r = 0; r < P * R; ++r)
          acc[r] = hn::MulAdd(hn::Set(d, row[r / R * apart + r % R]), right, acc[r]);
      }
    }
  for (int r = 0; r < P * R; ++r) hn::StoreU(acc[r], d, sums + r * step);
}

/// R rows times V vectors in registers over the whole box.
template <int R, int V>
HWY_INLINE void tile(const Box& box, const Pixels& a, const Pixels& b, float* sums, Int step, bool fresh) {
  const hn::ScalableTag<float> d;
  hn::Vec<hn::ScalableTag<float>> acc[R][V];
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v) acc[r][v] = fresh ? hn::Zero(d) : hn::LoadU(d, sums + r * step + v * kWidth);
  for (Int p = 0; p < box.planes; ++p)
    for (Int y = 0; y < box.lines; ++y) {
      const float* HWY_RESTRICT row = a.at + p * a.plane + y * a.line;
      const float* HWY_RESTRICT column = b.at + p * b.plane + y * b.line;
      for (Int x = box.pixels; x > 0; --x, row += a.pixel, column += b.pixel) {
        hn::Vec<hn::ScalableTag<float>> right[V];
        HWY_UNROLL(4)
        for (int v = 0; v < V; ++v) right[v] = hn::LoadU(d, column + v * kWidth);
        HWY_UNROLL(12)
        for (int r = 0; r < R; ++r) {
          const auto left = hn::Set(d, row[r]);
          for (int v = 0; v < V; ++v) acc[r][v] = hn::MulAdd(left, right[v], acc[r][v]);
        }
      }
    }
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v) hn::StoreU(acc[r][v], d, sums + r * step + v * kWidth);
}

/// A tile of which only `rows` rows and `columns` columns are sums: the others stay in memory of its own.
template <int R, int V>
HWY_NOINLINE void part_of_tile(const Box& box, const Pixels& a, const Pixels& b, const Sums& sums, Int rows,
                               Int columns) {
  if (rows == R && columns == V * kWidth) return tile<R, V>(box, a, b, sums.at, sums.step, sums.fresh);
  HWY_ALIGN float part[R * V * kWidth] = {};
  if (!sums.fresh)
    for (Int r = 0; r < rows; ++r) std::copy_n(sums.at + r * sums.step, columns, part + r * V * kWidth);
  tile<R, V>(box, a, b, part, V * kWidth, sums.fresh);
  for (Int r = 0; r < rows; ++r) std::copy_n(part + r * V * kWidth, columns, sums.at + r * sums.step);
}

/// The tile of `width` rows of a, at most R.
template <int R, int V>
HWY_INLINE void tile_of_width(const Box& box, const Pixels& a, const Pixels& b, const Sums& sums, Int width,
                              Int rows, Int columns) {
  if constexpr (R > 1)
    if (width < R) return tile_of_width<R - 1, V>(box, a, b, sums, width, rows, columns);
  part_of_tile<R, V>(box, a, b, sums, rows, columns);
}

void AddOuter(Int rows, Int columns, const Box& box, const Pixels& a, const Pixels& b, const Sums& sums) {
  each_column_panel(columns, [&](Int column, Int wide) {
    const Pixels right = panel_of(b, column, wide);
    if constexpr (kManyRegisters)
      if (columns == kWidth && rows == 4 * kQuad) {
        const Pixels left = panel_of(a, 0, 2 * kQuad);
        return narrow_tile<2, 2 * kQuad>(box, left, panel_of(a, 2 * kQuad, 2 * kQuad).at - left.at, right,
                                         sums.at, sums.step, sums.fresh);
      }
    const auto visit = [&](Int row, Int high) HWY_ATTR {
      const Pixels left = panel_of(a, row, high);
      const Sums to{sums.at + row * sums.step + column, sums.step, sums.fresh};
      const Int r = HWY_MIN(high, rows - row), c = HWY_MIN(wide, columns - column);
      if (wide == kWidth) return tile_of_width<kQuads * kQuad, 1>(box, left, right, to, high, r, c);
      if (wide == 2 * kWidth) return tile_of_width<kQuads * kQuad, 2>(box, left, right, to, high, r, c);
      if constexpr (kVectors == 3) tile_of_width<kQuads * kQuad, 3>(box, left, right, to, high, r, c);
    };
    if (a.area == 0) return each_run_of_rows(rows, visit);
    each_row_panel(rows, visit);
  });
}

Int PackedRows(Int channels) { return (channels + kQuad - 1) / kQuad * kQuad; }
Int PackedColumns(Int channels) { return (channels + kWidth - 1) / kWidth * kWidth; }

template <class T>
HWY_INLINE void widen_run(Int count, const T* from, float* to) {
  each_vector(0, count, [&](auto d, Int c) { hn::StoreU(load(d, from + c), d, to + c); });
}

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
  for (Int i = 0; i < count; ++i, from += step, to += width) {
    widen_run(channels, from, to);
    for (Int c = channels; c < width; ++c) to[c] = 0;
  }
}

// Pixels at a time: so many are in the cache while each panel takes its channels.
inline constexpr Int kTogether = 8;

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
template <class T>
HWY_INLINE void widen_of(Int count, Int channels, const T* from, Int step, float* to, Int to_step) {
  if (step == channels && to_step == channels) return widen_run(count * channels, from, to);
  for (Int i = 0; i < count; ++i) widen_run(channels, from + i * step, to + i * to_step);
}

/// Whether no exponent is that of infinity, `exponent` being the bits of one in the type U.
template <class U, class T>
HWY_INLINE bool finite_run(Int count, const T* from, U exponent) {
  const hn::ScalableTag<U> d;
  const auto all = hn::Set(d, exponent);
  constexpr auto kStep = static_cast<Int>(hn::MaxLanes(d));
  auto worst = hn::Zero(d);
  Int i = 0;
  for (; i + kStep <= count; i += kStep)
    worst = hn::Max(worst, hn::And(hn::LoadU(d, reinterpret_cast<const U*>(from + i)), all));
  bool finite = hn::AllFalse(d, hn::Eq(worst, all));
  for (; i < count; ++i) finite = finite && (std::bit_cast<U>(from[i]) & exponent) != exponent;
  return finite;
}
template <class T>
HWY_INLINE bool finite_of(Int count, Int channels, const T* from, Int step) {
  const auto run = [](Int n, const T* at) HWY_ATTR {
    if constexpr (sizeof(T) == 4) return finite_run<std::int32_t>(n, at, 0x7f800000);
    if constexpr (std::is_same_v<T, Half>) return finite_run<std::int16_t>(n, at, 0x7c00);
    if constexpr (std::is_same_v<T, Bfloat>) return finite_run<std::int16_t>(n, at, 0x7f80);
  };
  if (step == channels) return run(count * channels, from);
  for (Int i = 0; i < count; ++i)
    if (!run(channels, from + i * step)) return false;
  return true;
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

// Highway's dispatch table holds plain functions.
#define WGRADCHECK_PACK(T)                                                                                 \
  void PackRows##T(const Pack<T>& p, Int area, Int first, float* to) { pack_rows_of(p, area, first, to); } \
  void PackColumns##T(const Pack<T>& p, Int area, Int first, float* to) {                                  \
    pack_columns_of(p, area, first, to);                                                                   \
  }                                                                                                        \
  void Widen##T(Int count, Int channels, const T* from, Int step, float* to, Int to_step) {                \
    widen_of(count, channels, from, step, to, to_step);                                                    \
  }                                                                                                        \
  bool Finite##T(Int count, Int channels, const T* from, Int step) {                                       \
    return finite_of(count, channels, from, step);                                                         \
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

HWY_EXPORT(AddOuter);
HWY_EXPORT(PackedRows);
HWY_EXPORT(PackedColumns);

void add_outer(std::int64_t rows, std::int64_t columns, const Box& box, const Pixels& a, const Pixels& b,
               const Sums& sums) {
  HWY_DYNAMIC_DISPATCH(AddOuter)(rows, columns, box, a, b, sums);
}
std::int64_t packed_rows(std::int64_t channels) { return HWY_DYNAMIC_DISPATCH(PackedRows)(channels); }
std::int64_t packed_columns(std::int64_t channels) { return HWY_DYNAMIC_DISPATCH(PackedColumns)(channels); }

#define WGRADCHECK_PACK(T)                                                                           \
  HWY_EXPORT(PackRows##T);                                                                           \
  HWY_EXPORT(PackColumns##T);                                                                        \
  HWY_EXPORT(Finite##T);                                                                             \
  HWY_EXPORT(Spread##T);                                                                             \
  HWY_EXPORT(Widen##T);                                                                              \
  template <>                                                                                        \
  void pack_rows(const Pack<T>& p, std::int64_t area, std::int64_t first, float* to) {               \
    HWY_DYNAMIC_DISPATCH(PackRows##T)(p, area, first, to);                                           \
  }                                                                                                  \
  template <>                                                                                        \
  void pack_columns(const Pack<T>& p, std::int64_t area, std::int64_t first, float* to) {            \
    HWY_DYNAMIC_DISPATCH(PackColumns##T)(p, area, first, to);                                        \
  }                                                                                                  \
  template <>                                                                                        \
  void widen(std::int64_t count, std::int64_t channels, const T* from, std::int64_t step, float* to, \
             std::int64_t to_step) {                                                                 \
    HWY_DYNAMIC_DISPATCH(Widen##T)(count, channels, from, step, to, to_step);                        \
  }                                                                                                  \
  template <>                                                                                        \
  bool finite(std::int64_t count, std::int64_t channels, const T* from, std::int64_t step) {         \
    return HWY_DYNAMIC_DISPATCH(Finite##T)(count, channels, from, step);                             \
  }                                                                                                  \
  template <>                                                                                        \
  void spread(std::int64_t count, std::int64_t first, std::int64_t last, std::int64_t ins,           \
              std::int64_t outs, std::int64_t map, const T* from, std::int64_t step, float* to) {    \
    HWY_DYNAMIC_DISPATCH(Spread##T)(count, first, last, ins, outs, map, from, step, to);             \
  }
WGRADCHECK_PACK(float)
WGRADCHECK_PACK(Half)
WGRADCHECK_PACK(Bfloat)
#undef WGRADCHECK_PACK

}  // namespace wgradcheck::impl::simd
#endif
