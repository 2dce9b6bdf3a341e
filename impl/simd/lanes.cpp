#include "impl/simd/lanes.hpp"

#include "impl/simd/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl/simd/lanes.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "impl/simd/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::impl::simd::HWY_NAMESPACE {

using Int = std::int64_t;
inline constexpr Int kAhead = 24;  // pixels, read from the last cache, that computing one of so many hides
inline constexpr bool kWholeFives = !HWY_ARCH_X86 || HWY_TARGET <= HWY_AVX3;  // 25 sums fit the registers

/// Asks memory for what is soon read, while a tile is computed: so many cache lines with each pixel. What it
/// counts stays in registers until it is closed.
class Asking {
 public:
  Asking(std::span<Runs> soon, Int each) : soon_(soon), each_(each) { skip(); }
  HWY_INLINE void ask() {
    for (Int i = each_; i > 0; --i) {
      ask_for(runs_.at + kLineBytes * runs_.asked);
      if (++runs_.asked == runs_.lines) {
        runs_.asked = 0;
        runs_.at += runs_.step;
        if (--runs_.count == 0) skip();
      }
    }
  }
  void close() {
    if (!soon_.empty()) soon_.front() = runs_;
  }

 private:
  /// Goes on to the next runs.
  HWY_INLINE void skip() {
    if (runs_.lines > 0) soon_.front() = runs_;
    while (!soon_.empty() && soon_.front().count == 0) soon_ = soon_.subspan(1);
    if (soon_.empty())
      each_ = 0;
    else
      runs_ = soon_.front();
  }

  std::span<Runs> soon_;
  Int each_;
  Runs runs_;
};

/// Sums of V vectors of lanes, M maps and H * W taps over the whole box. The more of them, the less a sum
/// waits for its last addition.
template <bool Mixed, int V, int M, int H, int W, class D>
HWY_INLINE void lane_tile(D d, const Box& box, const Taps& taps, const Maps& maps, Int first_map,
                          const Pixels& dy, const Pixels& x, const LaneSums& sums, std::span<Runs> soon,
                          Int asked) {
  constexpr auto kStep = static_cast<Int>(hn::MaxLanes(D()));
  Floats<D> acc[V][M][H][W];
  Floats<D> pixel;
  Indices<D> mix[M];
  if constexpr (Mixed)
    for (int m = 0; m < M; ++m) {
      HWY_ALIGN std::int32_t source[kStep];
      for (Int l = 0; l < kStep; ++l)
        source[l] = static_cast<std::int32_t>(l - l % maps.count + first_map + m);
      mix[m] = hn::SetTableIndices(d, source);
    }
  // Unrolled, since the compiler keeps in registers only what it knows the number of from the start.
  const auto each = [&](const auto& visit) HWY_ATTR {
    HWY_UNROLL(8)
    for (int v = 0; v < V; ++v) {
      HWY_UNROLL(2)
      for (int m = 0; m < M; ++m) {
        HWY_UNROLL(5)
        for (int i = 0; i < H; ++i) {
          HWY_UNROLL(5)
          for (int j = 0; j < W; ++j)
            visit(acc[v][m][i][j], sums.at + v * kStep + m * sums.map + i * sums.row + j * sums.column);
        }
      }
    }
  };
  if (sums.fresh)
    each([&](auto& sum, const float*) HWY_ATTR { sum = hn::Zero(d); });
  else
    each([&](auto& sum, const float* at) HWY_ATTR { sum = hn::LoadU(d, at); });
  Asking asking(soon, asked);
  for (Int p = 0; p < box.planes; ++p)
    for (Int y = 0; y < box.lines; ++y) {
      const float* HWY_RESTRICT out = dy.at + p * dy.plane + y * dy.line;
      const float* HWY_RESTRICT in[H];
      HWY_UNROLL(5)
      for (int i = 0; i < H; ++i) in[i] = x.at + p * x.plane + y * x.line + i * taps.row;
      for (Int k = box.pixels; k > 0; --k) {
        asking.ask();
        HWY_UNROLL(8)
        for (int v = 0; v < V; ++v) {
          if constexpr (H * W > 4) {
            // Jumps from pixel to pixel are not foreseen by the processor.
            hwy::Prefetch(in[H - 1] + v * kStep + kAhead * x.pixel);
            hwy::Prefetch(out + v * kStep + kAhead * dy.pixel);
          }
          Floats<D> right[M];
          if constexpr (Mixed) pixel = hn::LoadU(d, out + v * kStep);
          HWY_UNROLL(2)
          for (int m = 0; m < M; ++m)
            if constexpr (Mixed)
              right[m] = hn::TableLookupLanes(pixel, mix[m]);
            else
              right[m] = hn::LoadU(d, out + v * kStep + m * maps.step);
          HWY_UNROLL(5)
          for (int i = 0; i < H; ++i) {
            HWY_UNROLL(5)
            for (int j = 0; j < W; ++j) {
              const auto left = hn::LoadU(d, in[i] + v * kStep + j * taps.column);
              HWY_UNROLL(2)
              for (int m = 0; m < M; ++m) acc[v][m][i][j] = hn::MulAdd(left, right[m], acc[v][m][i][j]);
            }
          }
        }
        HWY_UNROLL(5)
        for (int i = 0; i < H; ++i) in[i] += x.pixel;
        out += dy.pixel;
      }
    }
  asking.close();
  each([&](const auto& sum, float* at) HWY_ATTR { hn::StoreU(sum, d, at); });
}

/// What a call of add_lanes says.
struct Job {
  const Box& box;
  const Taps& taps;
  const Maps& maps;
  const Pixels& dy;
  const Pixels& x;
  const LaneSums& sums;
  std::span<Runs> soon;
  Int share;

  /// Lines that one of so many tiles asks for with each pixel.
  Int asked(Int tiles) const {
    constexpr Int kMost = 12;  // more at a time would be dropped
    const Int pixels = HWY_MAX(box.planes * box.lines * box.pixels * tiles, 1);
    return HWY_MIN(kMost, (share + pixels - 1) / pixels);
  }

  Pixels from(const Pixels& p, Int lane, Int map) const {
    return {p.at + p.first + lane + map, 0, p.plane, p.line, p.pixel, 0};
  }
  LaneSums to(Int lane, Int map) const {
    return {sums.at + lane + map * sums.map, sums.map, sums.row, sums.column, sums.fresh};
  }
};

/// Vectors of lanes that a tile of so many sums a lane holds.
constexpr int vectors_of(int sums) {
  constexpr int kMost = kWholeFives ? 20 : 12;
  int vectors = 8;
  while (vectors > 1 && vectors * sums > kMost) vectors /= 2;
  return vectors;
}

/// Lanes from `lane` on, V vectors at a time and then fewer.
template <bool Mixed, int V, int M, int H, int W>
HWY_INLINE void lane_vectors(const Job& job, Int lanes, Int map, Int lane = 0) {
  const auto tile = [&](auto d, Int l) HWY_ATTR {
    constexpr int kVectors = hn::MaxLanes(d) == kLanes ? V : 1;
    constexpr Int kTile = kVectors * static_cast<Int>(kLanes);
    const Int asked = job.asked((lanes + kTile - 1) / kTile * ((job.maps.count + M - 1) / M));
    lane_tile<Mixed, kVectors, M, H, W>(d, job.box, job.taps, job.maps, map,
                                        job.from(job.dy, l, Mixed ? 0 : map * job.maps.step),
                                        job.from(job.x, l, 0), job.to(l, map), job.soon, asked);
  };
  if constexpr (V == 1) {
    each_vector(lane, lanes, tile);
  } else {
    constexpr Int kStep = V * static_cast<Int>(kLanes);
    for (; lane + kStep <= lanes; lane += kStep) tile(hn::ScalableTag<float>(), lane);
    lane_vectors<Mixed, V / 2, M, H, W>(job, lanes, map, lane);
  }
}

template <bool Mixed, int H, int W>
HWY_INLINE void each_map(const Job& job, Int lanes) {
  Int map = 0;
  if constexpr (H * W <= 9)
    for (; map + 2 <= job.maps.count; map += 2) lane_vectors<Mixed, 1, 2, H, W>(job, lanes, map);
  constexpr int kVectors = Mixed ? 1 : vectors_of(H * W);
  for (; map < job.maps.count; ++map) lane_vectors<Mixed, kVectors, 1, H, W>(job, lanes, map);
}

template <int H, int W>
HWY_INLINE void lane_maps(const Job& job, Int lanes) {
  if (job.maps.mixed)
    each_map<true, H, W>(job, lanes);
  else
    each_map<false, H, W>(job, lanes);
}

void AddLanes(Int lanes, const Box& box, const Taps& taps, const Maps& maps, const Pixels& dy,
              const Pixels& x, const LaneSums& sums, std::span<Runs> soon, Int share) {
  const Job job{box, taps, maps, dy, x, sums, soon, share};
  if (taps.rows == 3) return taps.columns == 3 ? lane_maps<3, 3>(job, lanes) : lane_maps<3, 1>(job, lanes);
  if constexpr (kWholeFives)
    if (taps.rows == 5) return taps.columns == 5 ? lane_maps<5, 5>(job, lanes) : lane_maps<5, 1>(job, lanes);
  switch (taps.columns) {
    case 1:
      return lane_maps<1, 1>(job, lanes);
    case 2:
      return lane_maps<1, 2>(job, lanes);
    case 3:
      return lane_maps<1, 3>(job, lanes);
    case 4:
      return lane_maps<1, 4>(job, lanes);
    default:
      return lane_maps<1, 5>(job, lanes);
  }
}

bool WholeFives() { return kWholeFives; }
Int Lanes() { return static_cast<Int>(kLanes); }

}  // namespace wgradcheck::impl::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wgradcheck::impl::simd {

HWY_EXPORT(AddLanes);
HWY_EXPORT(WholeFives);
HWY_EXPORT(Lanes);

void add_lanes(std::int64_t lanes, const Box& box, const Taps& taps, const Maps& maps, const Pixels& dy,
               const Pixels& x, const LaneSums& sums, std::span<Runs> soon, std::int64_t share) {
  HWY_DYNAMIC_DISPATCH(AddLanes)(lanes, box, taps, maps, dy, x, sums, soon, share);
}

bool can_mix(std::int64_t lanes) { return HWY_DYNAMIC_DISPATCH(Lanes)() % lanes == 0; }

TapBlock lane_taps(std::int64_t kernel_rows, std::int64_t kernel_columns) {
  constexpr std::int64_t kMost = 5;
  if (kernel_rows == 3 && kernel_columns == 3) return {3, 3};
  if (kernel_rows == kMost && kernel_columns == kMost && HWY_DYNAMIC_DISPATCH(WholeFives)())
    return {kMost, kMost};
  return {1, kernel_columns <= kMost ? kernel_columns : kMost - 1};
}

}  // namespace wgradcheck::impl::simd
#endif
