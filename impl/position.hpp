#pragma once
#include "spec/shape.hpp"

namespace wgradcheck::impl {

/// An output position: image and output coordinates.
template <class Int>
struct Position {
  Int n, d, h, w;
  bool operator==(const Position&) const = default;
};

/// Row of the matrix product that a position is: (n, d, h, w) flattened, w running fastest.
template <class Int>
Int row_of(const spec::BasicShape<Int>& s, const Position<Int>& p) {
  return ((p.n * s.depth.output + p.d) * s.height.output + p.h) * s.width.output + p.w;
}

/// The position of a row; the inverse of row_of. Requires 0 <= row < batch * outputs of the three axes.
template <class Int>
Position<Int> position_at(const spec::BasicShape<Int>& s, const Int& row) {
  const Int line = spec::floor_div(row, s.width.output);
  const Int plane = spec::floor_div(line, s.height.output);
  const Int n = spec::floor_div(plane, s.depth.output);
  return {n, plane - n * s.depth.output, line - plane * s.height.output, row - line * s.width.output};
}

}  // namespace wgradcheck::impl
