#include "impl/simd/outer.hpp"

#include <algorithm>

#include "impl/simd/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl/simd/outer.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "impl/simd/panels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::impl::simd::HWY_NAMESPACE {

/// Calls visit(first, width) for runs of rows that are not packed: as even as can be.
template <class Visit>
HWY_INLINE void each_run_of_rows(Int rows, const Visit& visit) {
  constexpr Int kMost = kQuads * kQuad;
  const Int runs = (rows + kMost - 1) / kMost;
  for (Int i = 0; i < runs; ++i) visit(rows * i / runs, rows * (i + 1) / runs - rows * i / runs);
}

/// The panel of `width` channels from `first` on, its steps in floats.
HWY_INLINE Pixels panel_of(const Pixels& p, Int first, Int width) {
  if (p.area == 0) return {p.at + p.first + first, 0, p.plane, p.line, p.pixel, 0};
  return {p.at + p.area * first + p.first * width, 0, p.plane * width, p.line * width, p.pixel * width, 0};
}

/// The next cache line of what is soon read; where there is none, again one that is there.
HWY_INLINE Soon next_line(std::span<Soon> soon, const float* there) {
  for (Soon& s : soon)
    if (s.asked < s.lines) {
      Soon next = s;
      next.at += kLineBytes * s.asked++;
      return next;
    }
  return {reinterpret_cast<const std::byte*>(there)};
}

/// P panels of R rows, side by side in dW, times one vector in registers over the whole box: fewer vectors
/// than rows of a panel would leave the sums waiting for one another. Panel i of a is `apart` floats behind
/// the one before.
template <int P, int R>
HWY_INLINE void narrow_tile(const Box& box, const Pixels& a, Int apart, const Pixels& b, float* sums,
                            Int step, bool fresh, const Soon& soon) {
  const hn::ScalableTag<float> d;
  Floats<hn::ScalableTag<float>> acc[P * R];
  if (fresh) {
    HWY_UNROLL(16)
    for (int r = 0; r < P * R; ++r) acc[r] = hn::Zero(d);
  } else {
    HWY_UNROLL(16)
    for (int r = 0; r < P * R; ++r) acc[r] = hn::LoadU(d, sums + r * step);
  }
  for (Int p = 0; p < box.planes; ++p)
    for (Int y = 0; y < box.lines; ++y) {
      const float* HWY_RESTRICT row = a.at + p * a.plane + y * a.line;
      const float* HWY_RESTRICT column = b.at + p * b.plane + y * b.line;
      const std::byte* asked = soon.at + p * soon.plane + y * soon.line;
      for (Int x = box.pixels; x > 0; --x, row += a.pixel, column += b.pixel, asked += soon.pixel) {
        ask_for(asked);
        hwy::Prefetch(row + 4 * a.pixel);
        hwy::Prefetch(column + 4 * b.pixel);
        const auto right = hn::LoadU(d, column);
        HWY_UNROLL(16)
        for (int r = 0; r < P * R; ++r)
          acc[r] = hn::MulAdd(hn::Set(d, row[r / R * apart + r % R]), right, acc[r]);
      }
    }
  HWY_UNROLL(16)
  for (int r = 0; r < P * R; ++r) hn::StoreU(acc[r], d, sums + r * step);
}

/// Rows of sums to ask for, floats apart: most often those of the next tile.
struct Below {
  const float* at;
  Int step;
};

/// Pixels with which one row of the sums below is asked for: all rows at once would keep the pixels waiting.
inline constexpr Int kPiece = 32;

/// The same pointer, of which the compiler does not know that it is: else it keeps every row's address from
/// the start of a tile to its end, in memory.
HWY_INLINE float* anew(float* at) {
  asm("" : "+r"(at));
  return at;
}

/// How far ahead to ask for pixels so many floats apart: computing the ones between hides the last cache.
/// Those far apart would push one another out of the few places of the first cache that they share.
HWY_INLINE Int ahead(Int pixel) {
  constexpr Int kPixels = 24, kFar = 256;
  return pixel <= kFar ? kPixels * pixel : 0;
}

/// R rows times V vectors in registers over the whole box, of the last vector only the first half where
/// Halved.
template <int R, int V, bool Halved>
HWY_INLINE void tile(const Box& box, const Pixels& a, const Pixels& b, const Sums& sums, Below below,
                     const Soon& soon) {
  const hn::ScalableTag<float> d;
  const hn::Half<hn::ScalableTag<float>> half;
  constexpr int kWhole = Halved ? V - 1 : V;
  // Unrolled, since the compiler keeps in registers only what it knows the number of from the start.
  Floats<hn::ScalableTag<float>> acc[R][V];
  Floats<hn::Half<hn::ScalableTag<float>>> rest[R];
  const auto each = [&](const auto& visit) HWY_ATTR {
    float* at = anew(sums.at);
    HWY_UNROLL(12)
    for (int r = 0; r < R; ++r, at += sums.step) {
      HWY_UNROLL(4)
      for (int v = 0; v < kWhole; ++v) visit(d, acc[r][v], at + v * kWidth);
      if constexpr (Halved) visit(half, rest[r], at + kWhole * kWidth);
    }
  };
  if (sums.fresh)
    each([](auto tag, auto& sum, const float*) HWY_ATTR { sum = hn::Zero(tag); });
  else
    each([](auto tag, auto& sum, const float* at) HWY_ATTR { sum = hn::LoadU(tag, at); });
  const Int a_ahead = ahead(a.pixel), b_ahead = ahead(b.pixel);
  Int rows_below = R;
  for (Int p = 0; p < box.planes; ++p)
    for (Int y = 0; y < box.lines; ++y) {
      const float* HWY_RESTRICT row = a.at + p * a.plane + y * a.line;
      const float* HWY_RESTRICT column = b.at + p * b.plane + y * b.line;
      const std::byte* asked = soon.at + p * soon.plane + y * soon.line;
      for (Int pixels = box.pixels; pixels > 0; pixels -= kPiece) {
        for (int v = 0; v < V; ++v) hwy::Prefetch(below.at + v * kWidth);
        if (--rows_below > 0) below.at += below.step;
        for (Int x = HWY_MIN(pixels, kPiece); x > 0;
             --x, row += a.pixel, column += b.pixel, asked += soon.pixel) {
          ask_for(asked);
          Floats<hn::ScalableTag<float>> right[V];
          for (int v = 0; v < V; ++v) hwy::Prefetch(column + v * kWidth + b_ahead);
          hwy::Prefetch(row + a_ahead);
          HWY_UNROLL(4)
          for (int v = 0; v < kWhole; ++v) right[v] = hn::LoadU(d, column + v * kWidth);
          Floats<hn::Half<hn::ScalableTag<float>>> right_half;
          if constexpr (Halved) right_half = hn::LoadU(half, column + kWhole * kWidth);
          HWY_UNROLL(12)
          for (int r = 0; r < R; ++r) {
            const auto left = hn::Set(d, row[r]);
            HWY_UNROLL(4)
            for (int v = 0; v < kWhole; ++v) acc[r][v] = hn::MulAdd(left, right[v], acc[r][v]);
            if constexpr (Halved && V == 1) rest[r] = hn::MulAdd(hn::Set(half, row[r]), right_half, rest[r]);
            if constexpr (Halved && V > 1)
              rest[r] = hn::MulAdd(hn::LowerHalf(half, left), right_half, rest[r]);
          }
        }
      }
    }
  if (sums.streams)
    each([](auto tag, const auto& sum, float* at) HWY_ATTR { hn::Stream(sum, tag, at); });
  else
    each([](auto tag, const auto& sum, float* at) HWY_ATTR { hn::StoreU(sum, tag, at); });
}

/// Whether a tile of these sums can be written past the caches: whole cache lines.
HWY_INLINE bool fills_lines(const Sums& sums) {
  return reinterpret_cast<std::uintptr_t>(sums.at) % kLineBytes == 0 && sums.step * 4 % kLineBytes == 0;
}

/// A tile of which only `rows` rows and `columns` columns are sums: the others stay in memory of its own.
template <int R, int V, bool Halved>
HWY_NOINLINE void part_of_tile(const Box& box, const Pixels& a, const Pixels& b, const Sums& sums, Int rows,
                               Int columns, const Soon& soon) {
  constexpr Int kColumns = V * kWidth - (Halved ? kWidth / 2 : 0);
  if (rows == R && columns == kColumns) {
    if (sums.streams && fills_lines(sums)) return tile<R, V, Halved>(box, a, b, sums, {b.at, 0}, soon);
    return tile<R, V, Halved>(box, a, b, {sums.at, sums.step, sums.fresh, false},
                              {sums.at + R * sums.step, sums.step}, soon);
  }
  HWY_ALIGN float part[R * kColumns] = {};
  if (!sums.fresh)
    for (Int r = 0; r < rows; ++r) std::copy_n(sums.at + r * sums.step, columns, part + r * kColumns);
  tile<R, V, Halved>(box, a, b, {part, kColumns, sums.fresh, false}, {b.at, 0}, soon);
  for (Int r = 0; r < rows; ++r) std::copy_n(part + r * kColumns, columns, sums.at + r * sums.step);
}

/// The tile of `width` rows of a, at most R.
template <int R, int V>
HWY_INLINE void tile_of_width(const Box& box, const Pixels& a, const Pixels& b, const Sums& sums, Int width,
                              Int rows, Int columns, const Soon& soon) {
  if constexpr (R > 1)
    if (width < R) return tile_of_width<R - 1, V>(box, a, b, sums, width, rows, columns, soon);
  if constexpr (kHalves)
    if (V * kWidth - columns >= kWidth / 2)
      return part_of_tile<R, V, true>(box, a, b, sums, rows, columns, soon);
  part_of_tile<R, V, false>(box, a, b, sums, rows, columns, soon);
}

/// The same pixels in the same order as fewer, longer lines where they follow on one another.
HWY_INLINE Box flat(Box box, const Pixels& a, const Pixels& b) {
  if (a.line == box.pixels * a.pixel && b.line == box.pixels * b.pixel) {
    box.pixels *= box.lines;
    box.lines = 1;
    if (a.plane == box.pixels * a.pixel && b.plane == box.pixels * b.pixel) {
      box.pixels *= box.planes;
      box.planes = 1;
    }
  }
  return box;
}

void AddOuter(Int rows, Int columns, const Box& whole, const Pixels& a, const Pixels& b, const Sums& sums,
              std::span<Soon> soon) {
  const Box box = flat(whole, a, b);
  each_column_panel(columns, [&](Int column, Int wide) {
    const Pixels right = panel_of(b, column, wide);
    if constexpr (kManyRegisters)
      if (columns == kWidth && rows == 4 * kQuad) {
        const Pixels left = panel_of(a, 0, 2 * kQuad);
        return narrow_tile<2, 2 * kQuad>(box, left, panel_of(a, 2 * kQuad, 2 * kQuad).at - left.at, right,
                                         sums.at, sums.step, sums.fresh, next_line(soon, b.at));
      }
    const auto visit = [&](Int row, Int high) HWY_ATTR {
      const Pixels left = panel_of(a, row, high);
      const Sums to{sums.at + row * sums.step + column, sums.step, sums.fresh, sums.streams};
      const Soon next = next_line(soon, b.at);
      const Int r = HWY_MIN(high, rows - row), c = HWY_MIN(wide, columns - column);
      if (wide == kWidth) return tile_of_width<kQuads * kQuad, 1>(box, left, right, to, high, r, c, next);
      if (wide == 2 * kWidth) return tile_of_width<kQuads * kQuad, 2>(box, left, right, to, high, r, c, next);
      if constexpr (kVectors == 3) tile_of_width<kQuads * kQuad, 3>(box, left, right, to, high, r, c, next);
    };
    if (a.area == 0) return each_run_of_rows(rows, visit);
    each_row_panel(rows, visit);
  });
  if (sums.streams) hwy::FlushStream();
}

}  // namespace wgradcheck::impl::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wgradcheck::impl::simd {

HWY_EXPORT(AddOuter);

void add_outer(std::int64_t rows, std::int64_t columns, const Box& box, const Pixels& a, const Pixels& b,
               const Sums& sums, std::span<Soon> soon) {
  HWY_DYNAMIC_DISPATCH(AddOuter)(rows, columns, box, a, b, sums, soon);
}

}  // namespace wgradcheck::impl::simd
#endif
