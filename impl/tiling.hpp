#pragma once
#include "impl/ranges.hpp"

namespace wgradcheck::impl {

/// Tiles of a size that cover [0, total); the last may be shorter. Requires size >= 1.
template <class Int>
Int tiles_of(const Int& total, const Int& size) {
  return spec::ceil_div(total, size);
}

/// Items [first, last) of a tile. Over tiles 0 to tiles_of(total, size) - 1 they cover [0, total) once.
template <class Int>
Range<Int> tile_range(const Int& total, const Int& size, const Int& tile) {
  return {tile * size, spec::min(total, tile * size + size)};
}

/// The tile that holds an item: the one whose range contains it.
template <class Int>
Int tile_with(const Int& size, const Int& item) {
  return spec::floor_div(item, size);
}

/// One product of Conv3DBackpropFilter: a tile of output rows of (n, depth, kd), of output channels and of
/// columns (c1, kh, kw, c0). As counts: how many there are of each.
template <class Int>
struct Work {
  Int rows, n, depth, kd, m, cols;
  bool operator==(const Work&) const = default;
};

/// Place of a product in the list of all, columns running fastest and tiles of rows slowest.
template <class Int>
Int place_of(const Work<Int>& counts, const Work<Int>& w) {
  return ((((w.rows * counts.n + w.n) * counts.depth + w.depth) * counts.kd + w.kd) * counts.m + w.m) *
             counts.cols +
         w.cols;
}

/// The product at a place; the inverse of place_of. Requires 0 <= place < the product of the counts.
template <class Int>
Work<Int> work_at(const Work<Int>& counts, const Int& place) {
  const Int m = spec::floor_div(place, counts.cols), kd = spec::floor_div(m, counts.m),
            depth = spec::floor_div(kd, counts.kd), n = spec::floor_div(depth, counts.depth),
            rows = spec::floor_div(n, counts.n);
  return {rows,
          n - rows * counts.n,
          depth - n * counts.depth,
          kd - depth * counts.kd,
          m - kd * counts.m,
          place - m * counts.cols};
}

}  // namespace wgradcheck::impl
