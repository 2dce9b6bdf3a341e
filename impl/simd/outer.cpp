#include "impl/simd/outer.hpp"

#include <algorithm>
#include <bit>

#include "impl/simd/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl/simd/outer.cpp"
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

/// P panels of R rows, side by side in dW, times one vector in registers over the whole box: fewer vectors than
/// rows of a panel would leave the sums waiting for one another. Panel i of a is `apart` floats behind the
/// one before.
template <int P, int R>
HWY_INLINE void narrow_tile(const Box& box, const Pixels& a, Int apart, const Pixels& b, float* sums, Int step,
                            bool fresh) {
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
HWY_INLINE void part_of_tile(const Box& box, const Pixels& a, const Pixels& b, const Sums& sums, Int rows,
                             Int columns) {
  if (rows == R && columns == V * kWidth) return tile<R, V>(box, a, b, sums.at, sums.step, sums.fresh);
  HWY_ALIGN float part[R * V * kWidth] = {};
  if (!sums.fresh)
    for (Int r = 0; r < rows; ++r) std::copy_n(sums.at + r * sums.step, columns, part + r * V * kWidth);
  tile<R, V>(box, a, b, part, V * kWidth, sums.fresh);
  for (Int r = 0; r < rows; ++r) std::copy_n(part + r * V * kWidth, columns, sums.at + r * sums.step);
}

template <int V>
HWY_INLINE void tile_of_width(const Box& box, const Pixels& a, const Pixels& b, const Sums& sums, Int width,
                              Int rows, Int columns) {
  if (width == kQuad) return part_of_tile<kQuad, V>(box, a, b, sums, rows, columns);
  if constexpr (kManyRegisters) {
    if (width == 2 * kQuad) return part_of_tile<2 * kQuad, V>(box, a, b, sums, rows, columns);
    part_of_tile<3 * kQuad, V>(box, a, b, sums, rows, columns);
  }
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
    each_row_panel(rows, [&](Int row, Int high) {
      const Pixels left = panel_of(a, row, high);
      const Sums to{sums.at + row * sums.step + column, sums.step, sums.fresh};
      const Int r = HWY_MIN(high, rows - row), c = HWY_MIN(wide, columns - column);
      if (wide == kWidth) return tile_of_width<1>(box, left, right, to, high, r, c);
      if (wide == 2 * kWidth) return tile_of_width<2>(box, left, right, to, high, r, c);
      if constexpr (kVectors == 3) tile_of_width<3>(box, left, right, to, high, r, c);
    });
  });
}

Int PackedRows(Int channels) { return (channels + kQuad - 1) / kQuad * kQuad; }
Int PackedColumns(Int channels) { return (channels + kWidth - 1) / kWidth * kWidth; }

template <class T>
HWY_INLINE void widen_run(Int count, const T* from, float* to) {
  each_vector(0, count, [&](auto d, Int c) { hn::StoreU(load(d, from + c), d, to + c); });
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
  const hn::CappedTag<float, kQuad> quad;
  if (channels == width) {
    for (Int i = 0; i < count; ++i, from += step, to += width)
      for (Int c = 0; c < width; c += kQuad) hn::StoreU(load(quad, from + c), quad, to + c);
    return;
  }
  for (Int i = 0; i < count; ++i, from += step, to += width) {
    widen_run(channels, from, to);
    for (Int c = channels; c < width; ++c) to[c] = 0;
  }
}

// Pixels at a time: so many are in the cache while each panel takes its channels.
inline constexpr Int kTogether = 8;

template <class T, class Each>
HWY_INLINE void pack(const Each& each, Int count, Int channels, const T* from, Int step, Int area, Int first,
                     float* to) {
  for (Int i = 0; i < count; i += kTogether)
    each(channels, [&](Int c, Int width) {
      fill_panel(HWY_MIN(kTogether, count - i), HWY_MIN(width, channels - c), width, from + i * step + c,
                 step, to + area * c + (first + i) * width);
    });
}
template <class T>
HWY_INLINE void pack_rows_of(Int count, Int channels, const T* from, Int step, Int area, Int first,
                             float* to) {
  pack([](Int n, const auto& visit) { each_row_panel(n, visit); }, count, channels, from, step, area, first,
       to);
}
template <class T>
HWY_INLINE void pack_columns_of(Int count, Int channels, const T* from, Int step, Int area, Int first,
                                float* to) {
  pack([](Int n, const auto& visit) { each_column_panel(n, visit); }, count, channels, from, step, area,
       first, to);
}
template <class T>
HWY_INLINE void widen_of(Int count, Int channels, const T* from, Int step, float* to, Int to_step) {
  if (step == channels && to_step == channels) return widen_run(count * channels, from, to);
  for (Int i = 0; i < count; ++i) widen_run(channels, from + i * step, to + i * to_step);
}

// Highway's dispatch table holds plain functions.
#define WGRADCHECK_PACK(T)                                                                                \
  void PackRows##T(Int count, Int channels, const T* from, Int step, Int area, Int first, float* to) {    \
    pack_rows_of(count, channels, from, step, area, first, to);                                           \
  }                                                                                                       \
  void PackColumns##T(Int count, Int channels, const T* from, Int step, Int area, Int first, float* to) { \
    pack_columns_of(count, channels, from, step, area, first, to);                                        \
  }                                                                                                       \
  void Widen##T(Int count, Int channels, const T* from, Int step, float* to, Int to_step) {               \
    widen_of(count, channels, from, step, to, to_step);                                                   \
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
  HWY_EXPORT(Widen##T);                                                                              \
  template <>                                                                                        \
  void pack_rows(std::int64_t count, std::int64_t channels, const T* from, std::int64_t step,        \
                 std::int64_t area, std::int64_t first, float* to) {                                 \
    HWY_DYNAMIC_DISPATCH(PackRows##T)(count, channels, from, step, area, first, to);                 \
  }                                                                                                  \
  template <>                                                                                        \
  void pack_columns(std::int64_t count, std::int64_t channels, const T* from, std::int64_t step,     \
                    std::int64_t area, std::int64_t first, float* to) {                              \
    HWY_DYNAMIC_DISPATCH(PackColumns##T)(count, channels, from, step, area, first, to);              \
  }                                                                                                  \
  template <>                                                                                        \
  void widen(std::int64_t count, std::int64_t channels, const T* from, std::int64_t step, float* to, \
             std::int64_t to_step) {                                                                 \
    HWY_DYNAMIC_DISPATCH(Widen##T)(count, channels, from, step, to, to_step);                        \
  }
WGRADCHECK_PACK(float)
WGRADCHECK_PACK(Half)
WGRADCHECK_PACK(Bfloat)
#undef WGRADCHECK_PACK

namespace {
bool is_finite(float f) { return (std::bit_cast<std::uint32_t>(f) & 0x7f800000u) != 0x7f800000u; }
bool is_finite(Half h) { return (h.bits & 0x7c00u) != 0x7c00u; }
bool is_finite(Bfloat b) { return (b.bits & 0x7f80u) != 0x7f80u; }

template <class T>
bool finite_of(std::int64_t count, std::int64_t channels, const T* from, std::int64_t step) {
  bool all = true;  // no early end: this way the compiler makes it vector code
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t c = 0; c < channels; ++c) all &= is_finite(from[i * step + c]);
  return all;
}
}  // namespace

template <>
bool finite(std::int64_t count, std::int64_t channels, const float* from, std::int64_t step) {
  return finite_of(count, channels, from, step);
}
template <>
bool finite(std::int64_t count, std::int64_t channels, const Half* from, std::int64_t step) {
  return finite_of(count, channels, from, step);
}
template <>
bool finite(std::int64_t count, std::int64_t channels, const Bfloat* from, std::int64_t step) {
  return finite_of(count, channels, from, step);
}

}  // namespace wgradcheck::impl::simd
#endif
