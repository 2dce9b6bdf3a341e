#pragma once
#include "impl/ranges.hpp"
#include "spec/rules.hpp"

namespace wgradcheck::impl {

/// Part of the work: rows and columns of one group's dW as a matrix [out_per_group][kh * kw * ci], and the
/// images whose products are added. The depthwise path has one group, whose rows are the channels.
template <class Int>
struct Block {
  Int group;
  Range<Int> rows, cols, images;
};

/// A term of the sum by its coordinates: image, output, tap, group, and the channels inside the group. What
/// runs does not need it: schedules say with it which terms an operation covers, for proofs to check.
template <class Int>
struct Term {
  Int n, oh, ow, kh, kw, g, co, ci;
};

template <class Int>
Int length(const Range<Int>& r) {
  return r.last - r.first;
}

/// The indices that both ranges hold, as a range with first <= last.
template <class Int>
Range<Int> meet(const Range<Int>& a, const Range<Int>& b) {
  const Int first = spec::max(a.first, b.first);
  return {first, spec::max(first, spec::min(a.last, b.last))};
}

template <class Int>
Range<Int> shifted(const Range<Int>& r, const Int& by) {
  return {r.first + by, r.last + by};
}

/// Elements of scratch that a block of so many columns may use: what half the buffer holds, and no more than
/// its whole plane.
template <class Int>
Int scratch_elems(const spec::Call<Int>& c, const Int& cols) {
  return spec::min(spec::floor_div(spec::half_buffer(c), c.elem_bytes), c.output_h * c.output_w * cols);
}

}  // namespace wgradcheck::impl
