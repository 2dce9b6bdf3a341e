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

}  // namespace wgradcheck::impl
