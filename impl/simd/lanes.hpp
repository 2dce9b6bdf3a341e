#pragma once
#include "impl/simd/outer.hpp"

/// Micro-kernels of the host library for groups of few channels: each lane is a channel with sums of its own.
namespace wgradcheck::impl::simd {

/// Taps that share the pixels of dy: tap (i, j) reads x at i * row + j * column further, for i in [0, rows),
/// j in [0, columns). Steps count floats.
struct Taps {
  std::int64_t rows, columns, row, column;
};

/// What the lanes of x are multiplied by: `count` pixels of lanes, the k-th `step` floats behind the one
/// before. Or, where `mixed`, one pixel of lanes that groups of `count` share: the k-th of a lane is the k-th
/// of its group. Groups begin at lane 0 and are whole.
struct Maps {
  std::int64_t count, step;
  bool mixed;
};

/// Whether groups of so many lanes may be mixed: a vector holds whole groups.
bool can_mix(std::int64_t lanes);

/// Where sums of lanes go: map k, tap (i, j), lane l at[k * map + i * row + j * column + l].
struct LaneSums {
  float* at;
  std::int64_t map, row, column;
  bool fresh;
};

/// Memory that is read soon: `count` runs of `lines` cache lines, each `step` bytes behind the one before. Of
/// the first, `asked` lines were asked for.
struct Runs {
  const std::byte* at = nullptr;
  std::int64_t step = 0, lines = 0, count = 0, asked = 0;
};

/// sums[k][i][j][l] (+)= sum over the box of dy(p, y, x)[l] of map k * x(p, y, x)[l] at tap (i, j), for each
/// lane l in [0, lanes), in the order of p, y, x: one chain of fused additions each. No operand is packed,
/// and of each only the lanes named are read. The taps are at most what lane_taps says, or one. Meanwhile
/// asks memory for about `share` cache lines of what is soon read.
void add_lanes(std::int64_t lanes, const Box&, const Taps&, const Maps&, const Pixels& dy, const Pixels& x,
               const LaneSums&, std::span<Runs> soon = {}, std::int64_t share = 0);

/// The most taps that are worth holding in registers at a time for a kernel of these extents.
struct TapBlock {
  std::int64_t rows, columns;
};
TapBlock lane_taps(std::int64_t kernel_rows, std::int64_t kernel_columns);

}  // namespace wgradcheck::impl::simd
