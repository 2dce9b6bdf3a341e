#pragma once
#include "spec/shape.hpp"

/// How the sum is computed fast: shortcuts, each a template over the integer, each proved equal to the
/// definition.
namespace wgradcheck::impl {

/// A half-open range of indices; empty where first == last.
template <class Int>
struct Range {
  Int first, last;
};

/// Whether an index lies in a range: a bool when run, a formula when proved.
template <class Int>
auto contains(const Range<Int>& range, const Int& index) {
  return range.first <= index && index < range.last;
}

/// The outputs that meet tap r inside the input, as a range with 0 <= first <= last <= a.output: exactly
/// those for which spec::touches holds.
template <class Int>
Range<Int> touched(const spec::Axis<Int>& a, const Int& r) {
  const Int before = a.pad_before - r * a.dilation;  // input elements left of what output 0 reads
  const auto clamp = [&a](const Int& p) { return spec::max(Int(0), spec::min(p, a.output)); };
  return {clamp(spec::ceil_div(before, a.stride)), clamp(spec::ceil_div(a.input + before, a.stride))};
}

}  // namespace wgradcheck::impl
