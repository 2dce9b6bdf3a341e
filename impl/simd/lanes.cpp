#include "impl/simd/lanes.hpp"

#include "impl/simd/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl/simd/lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "impl/simd/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::impl::simd::HWY_NAMESPACE {

using Int = std::int64_t;
inline constexpr bool kWholeFives = !HWY_ARCH_X86 || HWY_TARGET <= HWY_AVX3;  // 25 sums fit the registers

/// Sums of H * W taps and M maps for one vector of lanes over the whole box.
template <int H, int W, int M, class D>
HWY_INLINE void lane_tile(D d, const Box& box, const Taps& taps, Int map_step, const Pixels& dy,
                          const Pixels& x, const LaneSums& sums) {
  hn::Vec<D> acc[M][H][W];
  const auto each = [&](const auto& visit) HWY_ATTR {
    for (int m = 0; m < M; ++m)
      for (int i = 0; i < H; ++i)
        for (int j = 0; j < W; ++j)
          visit(acc[m][i][j], sums.at + m * sums.map + i * sums.row + j * sums.column);
  };
  each([&](auto& sum, const float* at) HWY_ATTR { sum = sums.fresh ? hn::Zero(d) : hn::LoadU(d, at); });
  for (Int p = 0; p < box.planes; ++p)
    for (Int y = 0; y < box.lines; ++y) {
      const float* HWY_RESTRICT out = dy.at + p * dy.plane + y * dy.line;
      const float* HWY_RESTRICT in[H];
      for (int i = 0; i < H; ++i) in[i] = x.at + p * x.plane + y * x.line + i * taps.row;
      for (Int k = box.pixels; k > 0; --k) {
        hn::Vec<D> right[M];
        for (int m = 0; m < M; ++m) right[m] = hn::LoadU(d, out + m * map_step);
        HWY_UNROLL(5)
        for (int i = 0; i < H; ++i) {
          HWY_UNROLL(5)
          for (int j = 0; j < W; ++j) {
            const auto left = hn::LoadU(d, in[i] + j * taps.column);
            for (int m = 0; m < M; ++m) acc[m][i][j] = hn::MulAdd(left, right[m], acc[m][i][j]);
          }
          in[i] += x.pixel;
        }
        out += dy.pixel;
      }
    }
  each([&](const auto& sum, float* at) HWY_ATTR { hn::StoreU(sum, d, at); });
}

/// One tap and map of V vectors: the more of them, the less a sum waits for its last addition.
template <int V, class D>
HWY_INLINE void one_tap(D d, const Box& box, const Pixels& dy, const Pixels& x, const LaneSums& sums) {
  constexpr auto kStep = static_cast<Int>(hn::MaxLanes(D()));
  hn::Vec<D> acc[V];
  for (int v = 0; v < V; ++v) acc[v] = sums.fresh ? hn::Zero(d) : hn::LoadU(d, sums.at + v * kStep);
  for (Int p = 0; p < box.planes; ++p)
    for (Int y = 0; y < box.lines; ++y) {
      const float* HWY_RESTRICT out = dy.at + p * dy.plane + y * dy.line;
      const float* HWY_RESTRICT in = x.at + p * x.plane + y * x.line;
      for (Int k = box.pixels; k > 0; --k, out += dy.pixel, in += x.pixel)
        for (int v = 0; v < V; ++v)
          acc[v] = hn::MulAdd(hn::LoadU(d, in + v * kStep), hn::LoadU(d, out + v * kStep), acc[v]);
    }
  for (int v = 0; v < V; ++v) hn::StoreU(acc[v], d, sums.at + v * kStep);
}

template <int H, int W, class D>
HWY_INLINE void lane_maps(D d, const Box& box, const Taps& taps, const Maps& maps, Pixels dy, const Pixels& x,
                          LaneSums sums) {
  Int m = 0;
  if constexpr (H * W <= 9)
    for (; m + 2 <= maps.count; m += 2, dy.at += 2 * maps.step, sums.at += 2 * sums.map)
      lane_tile<H, W, 2>(d, box, taps, maps.step, dy, x, sums);
  for (; m < maps.count; ++m, dy.at += maps.step, sums.at += sums.map)
    lane_tile<H, W, 1>(d, box, taps, maps.step, dy, x, sums);
}

template <class D>
HWY_INLINE void lane_vector(D d, const Box& box, const Taps& taps, const Maps& maps, const Pixels& dy,
                            const Pixels& x, const LaneSums& sums) {
  if (taps.rows == 3) return lane_maps<3, 3>(d, box, taps, maps, dy, x, sums);
  if constexpr (kWholeFives)
    if (taps.rows == 5) return lane_maps<5, 5>(d, box, taps, maps, dy, x, sums);
  switch (taps.columns) {
    case 1:
      return lane_maps<1, 1>(d, box, taps, maps, dy, x, sums);
    case 2:
      return lane_maps<1, 2>(d, box, taps, maps, dy, x, sums);
    case 3:
      return lane_maps<1, 3>(d, box, taps, maps, dy, x, sums);
    case 4:
      return lane_maps<1, 4>(d, box, taps, maps, dy, x, sums);
    default:
      return lane_maps<1, 5>(d, box, taps, maps, dy, x, sums);
  }
}

void AddLanes(Int lanes, const Box& box, const Taps& taps, const Maps& maps, const Pixels& dy,
              const Pixels& x, const LaneSums& sums) {
  const auto from = [](Pixels p, Int l) {
    return Pixels{p.at + p.first + l, 0, p.plane, p.line, p.pixel, 0};
  };
  const auto to = [&sums](Int l) {
    return LaneSums{sums.at + l, sums.map, sums.row, sums.column, sums.fresh};
  };
  Int l = 0;
  if (taps.rows * taps.columns * maps.count == 1) {
    const hn::ScalableTag<float> d;
    constexpr auto kEight = static_cast<Int>(8 * kLanes);
    for (; l + kEight <= lanes; l += kEight) one_tap<8>(d, box, from(dy, l), from(x, l), to(l));
  }
  each_vector(l, lanes, [&](auto d, Int at) HWY_ATTR {
    lane_vector(d, box, taps, maps, from(dy, at), from(x, at), to(at));
  });
}

bool WholeFives() { return kWholeFives; }

}  // namespace wgradcheck::impl::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wgradcheck::impl::simd {

HWY_EXPORT(AddLanes);
HWY_EXPORT(WholeFives);

void add_lanes(std::int64_t lanes, const Box& box, const Taps& taps, const Maps& maps, const Pixels& dy,
               const Pixels& x, const LaneSums& sums) {
  HWY_DYNAMIC_DISPATCH(AddLanes)(lanes, box, taps, maps, dy, x, sums);
}

TapBlock lane_taps(std::int64_t kernel_rows, std::int64_t kernel_columns) {
  constexpr std::int64_t kMost = 5;
  if (kernel_rows == 3 && kernel_columns == 3) return {3, 3};
  if (kernel_rows == kMost && kernel_columns == kMost && HWY_DYNAMIC_DISPATCH(WholeFives)())
    return {kMost, kMost};
  return {1, kernel_columns <= kMost ? kernel_columns : kMost - 1};
}

}  // namespace wgradcheck::impl::simd
#endif
