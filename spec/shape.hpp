#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "spec/arith.hpp"

namespace wgradcheck::spec {

/// One spatial axis. Sizes, pads and steps in elements; a dilation of 1 is dense. The padding after the input
/// does not enter the sum; it follows from the other fields (pad_after).
template <class Int>
struct Axis {
  Int input, output, kernel, stride, dilation, pad_before;
  bool operator==(const Axis&) const = default;
};

/// A convolution whose weight gradient is asked for. 2D is depth 1; every size counts elements.
template <class Int>
struct BasicShape {
  Int batch, groups, in_channels, out_channels;  ///< channels over all groups
  Axis<Int> depth, height, width;
  bool operator==(const BasicShape&) const = default;
};

using Shape = BasicShape<std::int64_t>;

/// The same axis in another integer.
template <class Int>
Axis<Int> as(const Axis<std::int64_t>& a) {
  return {a.input, a.output, a.kernel, a.stride, a.dilation, a.pad_before};
}

/// The same shape in another integer.
template <class Int>
BasicShape<Int> as(const Shape& s) {
  return {s.batch,          s.groups,          s.in_channels,   s.out_channels,
          as<Int>(s.depth), as<Int>(s.height), as<Int>(s.width)};
}

/// An axis that is not there: one element, one tap.
inline constexpr Axis<std::int64_t> kNoAxis{1, 1, 1, 1, 1, 0};

/// Elements that a dilated kernel spans.
template <class Int>
Int span(const Axis<Int>& a) {
  return (a.kernel - Int(1)) * a.dilation + Int(1);
}

/// Padding after the input that makes the output-size equation exact; negative when the last rows are not
/// read.
template <class Int>
Int pad_after(const Axis<Int>& a) {
  return (a.output - Int(1)) * a.stride + span(a) - a.input - a.pad_before;
}

/// Output extent of the documents' floor equation for the given padding on both sides.
template <class Int>
Int output_for(const Axis<Int>& a, const Int& after) {
  return floor_div(a.input + a.pad_before + after - span(a), a.stride) + Int(1);
}

template <class Int>
Int in_per_group(const BasicShape<Int>& s) {
  return floor_div(s.in_channels, s.groups);
}

template <class Int>
Int out_per_group(const BasicShape<Int>& s) {
  return floor_div(s.out_channels, s.groups);
}

/// Taps of a filter.
template <class Int>
Int taps_of(const BasicShape<Int>& s) {
  return s.depth.kernel * s.height.kernel * s.width.kernel;
}

/// Elements of x, shape [batch][depth][height][width][in_channels].
template <class Int>
Int x_elems(const BasicShape<Int>& s) {
  return s.batch * s.depth.input * s.height.input * s.width.input * s.in_channels;
}

/// Elements of dy, shape [batch][depth][height][width][out_channels].
template <class Int>
Int dy_elems(const BasicShape<Int>& s) {
  return s.batch * s.depth.output * s.height.output * s.width.output * s.out_channels;
}

/// Elements of dW, shape [groups][out_per_group][kd][kh][kw][in_per_group].
template <class Int>
Int dw_elems(const BasicShape<Int>& s) {
  return s.out_channels * s.depth.kernel * s.height.kernel * s.width.kernel * in_per_group(s);
}

/// Products of the sum, padding counted: terms of one element times elements.
template <class Int>
Int products(const BasicShape<Int>& s) {
  return s.batch * s.depth.output * s.height.output * s.width.output * dw_elems(s);
}

/// Why a shape is not one: the problem line's name of the field and a sentence that says what is wrong.
struct Refusal {
  std::string field, reason;
  bool operator==(const Refusal&) const = default;
};

/// The first thing wrong with a shape, or nothing. Sizes, strides and dilations are at least 1, pads at least
/// 0, groups divide both channel counts, and no tensor has 2^62 elements or more.
std::optional<Refusal> refuse(const Shape&);

}  // namespace wgradcheck::spec
