#include "impl/simd/kernels.hpp"

#include <bit>
#include <type_traits>

#include "impl/simd/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl/simd/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "impl/simd/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::impl::simd::HWY_NAMESPACE {

// Rows of the register tile: kRows * 2 accumulators, two vectors of b and one of a fill the registers.
inline constexpr int kRows = HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3 ? 6 : 12;
inline constexpr std::int64_t kDepth =
    256;  // of the panel of a: with kRows floats a row, half of an L1 cache

// Masked lanes are neither read nor written, which costs nothing.
inline constexpr bool kMasks = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3;

/// All lanes of a vector.
struct AllLanes {
  template <class D>
  HWY_INLINE auto load(D d, const float* at) const {
    return hn::LoadU(d, at);
  }
  template <class D>
  HWY_INLINE void store(D d, const hn::Vec<D>& v, float* at) const {
    hn::StoreU(v, d, at);
  }
};
/// The first of them.
struct FirstLanes {
  std::size_t count;
  template <class D>
  HWY_INLINE auto load(D d, const float* at) const {
    return hn::MaskedLoad(hn::FirstN(d, count), d, at);
  }
  template <class D>
  HWY_INLINE void store(D d, const hn::Vec<D>& v, float* at) const {
    hn::BlendedStore(v, hn::FirstN(d, count), d, at);
  }
};

/// The register tile: R rows of V vectors. a is packed, R floats a row.
template <int R, int V, class D, class Lanes = AllLanes>
HWY_INLINE void tile(D d, std::int64_t depth, const float* HWY_RESTRICT a, Matrix<const float> b,
                     Matrix<float> c, const Lanes& lanes = {}) {
  constexpr std::size_t kStep = hn::MaxLanes(D());
  Floats<D> sums[R][V];
  // Unrolled, since the compiler keeps in registers only what it knows the number of from the start.
  HWY_UNROLL(12)
  for (int r = 0; r < R; ++r) {
    HWY_UNROLL(2)
    for (int v = 0; v < V; ++v)
      sums[r][v] = lanes.load(d, c.at + r * c.step + static_cast<std::size_t>(v) * kStep);
  }
  for (std::int64_t k = 0; k < depth; ++k) {
    Floats<D> row[V];
    HWY_UNROLL(2)
    for (int v = 0; v < V; ++v)
      row[v] = lanes.load(d, b.at + k * b.step + static_cast<std::size_t>(v) * kStep);
    HWY_UNROLL(12)
    for (int r = 0; r < R; ++r) {
      const auto scale = hn::Set(d, a[k * R + r]);
      HWY_UNROLL(2)
      for (int v = 0; v < V; ++v) sums[r][v] = hn::MulAdd(scale, row[v], sums[r][v]);
    }
  }
  HWY_UNROLL(12)
  for (int r = 0; r < R; ++r) {
    HWY_UNROLL(2)
    for (int v = 0; v < V; ++v)
      lanes.store(d, sums[r][v], c.at + r * c.step + static_cast<std::size_t>(v) * kStep);
  }
}

/// R rows of c: packs their part of a once, then walks the columns.
template <int R, class T>
HWY_INLINE void add_rows(std::int64_t cols, std::int64_t depth, Matrix<const T> a, Matrix<const float> b,
                         Matrix<float> c) {
  HWY_ALIGN float packed[kDepth * R];
  for (std::int64_t k = 0; k < depth; ++k)
    each_vector(0, R, [&](auto d, std::int64_t i) {
      hn::StoreU(load(d, a.at + k * a.step + i), d, packed + k * R + i);
    });
  const hn::ScalableTag<float> full;
  constexpr auto kPair = static_cast<std::int64_t>(2 * kLanes);
  std::int64_t j = 0;
  for (; j + kPair <= cols; j += kPair)
    tile<R, 2>(full, depth, packed, {b.at + j, b.step}, {c.at + j, c.step});
  if constexpr (kMasks)
    if (const auto rest = static_cast<std::uint64_t>(cols - j) % kLanes; std::popcount(rest) > 1) {
      const FirstLanes first{rest};
      cols -= static_cast<std::int64_t>(rest);
      const Matrix<const float> last_b{b.at + cols, b.step};
      const Matrix<float> last_c{c.at + cols, c.step};
      // Half a vector takes half the time.
      if (rest < kLanes / 2)
        tile<R, 1>(hn::Half<decltype(full)>(), depth, packed, last_b, last_c, first);
      else
        tile<R, 1>(full, depth, packed, last_b, last_c, first);
    }
  each_vector(j, cols, [&](auto d, std::int64_t at) {
    tile<R, 1>(d, depth, packed, {b.at + at, b.step}, {c.at + at, c.step});
  });
}

template <class T>
HWY_INLINE void add_product_of(std::int64_t rows, std::int64_t cols, std::int64_t depth, Matrix<const T> a,
                               Matrix<const float> b, Matrix<float> c) {
  for (; depth > 0; depth -= kDepth, a.at += kDepth * a.step, b.at += kDepth * b.step) {
    const std::int64_t slice = HWY_MIN(depth, kDepth);
    std::int64_t i = 0;
    for (; i + kRows <= rows; i += kRows)
      add_rows<kRows>(cols, slice, Matrix<const T>{a.at + i, a.step}, b, {c.at + i * c.step, c.step});
    for (; i + kRows / 3 <= rows; i += kRows / 3)
      add_rows<kRows / 3>(cols, slice, Matrix<const T>{a.at + i, a.step}, b, {c.at + i * c.step, c.step});
    for (; i < rows; ++i)
      add_rows<1>(cols, slice, Matrix<const T>{a.at + i, a.step}, b, {c.at + i * c.step, c.step});
  }
}

/// Rows of so few columns that counting them would take longer than copying them.
template <std::int64_t Cols, class T>
HWY_INLINE void copy_short(std::int64_t rows, Matrix<const T> from, Matrix<float> to) {
  for (std::int64_t i = 0; i < rows; ++i, from.at += from.step, to.at += to.step)
    widen_run(Cols, from.at, to.at);
}

template <class T>
HWY_INLINE void copy_of(std::int64_t rows, std::int64_t cols, Matrix<const T> from, Matrix<float> to) {
  if (from.step == cols && to.step == cols) return widen_run(rows * cols, from.at, to.at);
  if (cols == 1) return copy_short<1>(rows, from, to);
  if (cols == 2) return copy_short<2>(rows, from, to);
  if (cols == 3) return copy_short<3>(rows, from, to);
  if (cols == 4) return copy_short<4>(rows, from, to);
  if (cols == 8) return copy_short<8>(rows, from, to);
  if (cols == 16) return copy_short<16>(rows, from, to);
  for (std::int64_t i = 0; i < rows; ++i) widen_run(cols, from.at + i * from.step, to.at + i * to.step);
}

/// Whether no exponent is that of infinity, `exponent` being the bits of one in the type U.
template <class U, class T>
HWY_INLINE bool finite_run(std::int64_t count, const T* from, U exponent) {
  const hn::ScalableTag<U> d;
  const auto all = hn::Set(d, exponent);
  constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(d));
  auto worst = hn::Zero(d);
  std::int64_t i = 0;
  for (; i + kStep <= count; i += kStep)
    worst = hn::Max(worst, hn::And(hn::LoadU(d, reinterpret_cast<const U*>(from + i)), all));
  bool finite = hn::AllFalse(d, hn::Eq(worst, all));
  for (; i < count; ++i) finite = finite && (std::bit_cast<U>(from[i]) & exponent) != exponent;
  return finite;
}
template <class T>
HWY_INLINE bool finite_of(std::int64_t rows, std::int64_t cols, Matrix<const T> from) {
  const auto run = [](std::int64_t count, const T* at) HWY_ATTR {
    if constexpr (std::is_same_v<T, float>) return finite_run<std::int32_t>(count, at, 0x7f800000);
    if constexpr (std::is_same_v<T, Half>) return finite_run<std::int16_t>(count, at, 0x7c00);
    if constexpr (std::is_same_v<T, Bfloat>) return finite_run<std::int16_t>(count, at, 0x7f80);
  };
  if (from.step == cols) return run(rows * cols, from.at);
  for (std::int64_t i = 0; i < rows; ++i)
    if (!run(cols, from.at + i * from.step)) return false;
  return true;
}

/// V vectors of channels: the more of them, the less a sum waits for its last addition.
template <int V, class D, class T>
HWY_INLINE void channel_tile(D d, std::int64_t rows, std::int64_t cols, Plane<T> dy, Plane<T> x, float* c,
                             std::int64_t c_step) {
  constexpr std::size_t kStep = hn::MaxLanes(D());
  HWY_ALIGN float lanes[V * kStep];
  for (std::size_t l = 0; l < V * kStep; ++l) lanes[l] = c[static_cast<std::int64_t>(l) * c_step];
  Floats<D> sums[V];
  for (int v = 0; v < V; ++v) sums[v] = hn::LoadU(d, lanes + static_cast<std::size_t>(v) * kStep);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < cols; ++j)
      for (int v = 0; v < V; ++v) {
        const std::size_t at = static_cast<std::size_t>(v) * kStep;
        sums[v] = hn::MulAdd(load(d, dy.at + i * dy.row_step + j * dy.col_step + at),
                             load(d, x.at + i * x.row_step + j * x.col_step + at), sums[v]);
      }
  for (int v = 0; v < V; ++v) hn::StoreU(sums[v], d, lanes + static_cast<std::size_t>(v) * kStep);
  for (std::size_t l = 0; l < V * kStep; ++l) c[static_cast<std::int64_t>(l) * c_step] = lanes[l];
}

template <class T>
HWY_INLINE void add_channel_products_of(std::int64_t channels, std::int64_t rows, std::int64_t cols,
                                        Plane<T> dy, Plane<T> x, float* c, std::int64_t c_step) {
  const auto part = [](Plane<T> p, std::int64_t l) { return Plane<T>{p.at + l, p.row_step, p.col_step}; };
  const hn::ScalableTag<float> full;
  constexpr auto kFour = static_cast<std::int64_t>(4 * kLanes);
  std::int64_t l = 0;
  for (; l + kFour <= channels; l += kFour)
    channel_tile<4>(full, rows, cols, part(dy, l), part(x, l), c + l * c_step, c_step);
  each_vector(l, channels, [&](auto d, std::int64_t at) {
    channel_tile<1>(d, rows, cols, part(dy, at), part(x, at), c + at * c_step, c_step);
  });
}

// Highway's dispatch table holds plain functions.
#define WGRADCHECK_KERNELS(T)                                                                            \
  void Product##T(std::int64_t rows, std::int64_t cols, std::int64_t depth, Matrix<const T> a,           \
                  Matrix<const float> b, Matrix<float> c) {                                              \
    add_product_of(rows, cols, depth, a, b, c);                                                          \
  }                                                                                                      \
  void Channels##T(std::int64_t channels, std::int64_t rows, std::int64_t cols, Plane<T> dy, Plane<T> x, \
                   float* c, std::int64_t c_step) {                                                      \
    add_channel_products_of(channels, rows, cols, dy, x, c, c_step);                                     \
  }
#define WGRADCHECK_MOVES(T)                                                                    \
  void Copy##T(std::int64_t rows, std::int64_t cols, Matrix<const T> from, Matrix<float> to) { \
    copy_of(rows, cols, from, to);                                                             \
  }                                                                                            \
  bool Finite##T(std::int64_t rows, std::int64_t cols, Matrix<const T> from) {                 \
    return finite_of(rows, cols, from);                                                        \
  }
WGRADCHECK_KERNELS(float)
WGRADCHECK_KERNELS(Half)
WGRADCHECK_MOVES(float)
WGRADCHECK_MOVES(Half)
WGRADCHECK_MOVES(Bfloat)
#undef WGRADCHECK_KERNELS
#undef WGRADCHECK_MOVES

}  // namespace wgradcheck::impl::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wgradcheck::impl::simd {

#define WGRADCHECK_KERNELS(T)                                                                         \
  HWY_EXPORT(Product##T);                                                                             \
  HWY_EXPORT(Channels##T);                                                                            \
  template <>                                                                                         \
  void add_product(std::int64_t rows, std::int64_t cols, std::int64_t depth, Matrix<const T> a,       \
                   Matrix<const float> b, Matrix<float> c) {                                          \
    HWY_DYNAMIC_DISPATCH(Product##T)(rows, cols, depth, a, b, c);                                     \
  }                                                                                                   \
  template <>                                                                                         \
  void add_channel_products(std::int64_t channels, std::int64_t rows, std::int64_t cols, Plane<T> dy, \
                            Plane<T> x, float* c, std::int64_t c_step) {                              \
    HWY_DYNAMIC_DISPATCH(Channels##T)(channels, rows, cols, dy, x, c, c_step);                        \
  }
#define WGRADCHECK_MOVES(T)                                                                 \
  HWY_EXPORT(Copy##T);                                                                      \
  HWY_EXPORT(Finite##T);                                                                    \
  template <>                                                                               \
  void copy(std::int64_t rows, std::int64_t cols, Matrix<const T> from, Matrix<float> to) { \
    HWY_DYNAMIC_DISPATCH(Copy##T)(rows, cols, from, to);                                    \
  }                                                                                         \
  template <>                                                                               \
  bool all_finite(std::int64_t rows, std::int64_t cols, Matrix<const T> from) {             \
    return HWY_DYNAMIC_DISPATCH(Finite##T)(rows, cols, from);                               \
  }
WGRADCHECK_KERNELS(float)
WGRADCHECK_KERNELS(Half)
WGRADCHECK_MOVES(float)
WGRADCHECK_MOVES(Half)
WGRADCHECK_MOVES(Bfloat)
#undef WGRADCHECK_KERNELS
#undef WGRADCHECK_MOVES

}  // namespace wgradcheck::impl::simd
#endif
