#pragma once
#include "spec/shape.hpp"

namespace wgradcheck::spec {

/// Input coordinate that output p reads through tap r; outside [0, input) it is padding, whose term is 0.
/// Source: the documents' `oh*stride_h + kh*dilation_h - pad_u`.
template <class Int>
Int input_at(const Axis<Int>& a, const Int& p, const Int& r) {
  return p * a.stride + r * a.dilation - a.pad_before;
}

/// Whether output p meets tap r inside the input: a bool when run, a formula when proved.
template <class Int>
auto touches(const Axis<Int>& a, const Int& p, const Int& r) {
  return input_at(a, p, r) >= Int(0) && input_at(a, p, r) < a.input;
}

/// Offset, in elements, of (n, d, h, w, c) in a channels-last tensor of the given extents.
template <class Int>
Int channels_last(const Int& depth, const Int& height, const Int& width, const Int& channels, const Int& n,
                  const Int& d, const Int& h, const Int& w, const Int& c) {
  return (((n * depth + d) * height + h) * width + w) * channels + c;
}

/// Offset in x of input channel ci of group g; NHWC, 3D as NDHWC.
template <class Int>
Int x_offset(const BasicShape<Int>& s, const Int& n, const Int& d, const Int& h, const Int& w, const Int& g,
             const Int& ci) {
  return channels_last(s.depth.input, s.height.input, s.width.input, s.in_channels, n, d, h, w,
                       g * in_per_group(s) + ci);
}

/// Offset in dy of output channel co of group g; NHWC, 3D as NDHWC.
template <class Int>
Int dy_offset(const BasicShape<Int>& s, const Int& n, const Int& d, const Int& h, const Int& w, const Int& g,
              const Int& co) {
  return channels_last(s.depth.output, s.height.output, s.width.output, s.out_channels, n, d, h, w,
                       g * out_per_group(s) + co);
}

/// Offset in dW, [groups][out_per_group][kd][kh][kw][in_per_group].
template <class Int>
Int dw_offset(const BasicShape<Int>& s, const Int& g, const Int& co, const Int& kd, const Int& kh,
              const Int& kw, const Int& ci) {
  return ((((g * out_per_group(s) + co) * s.depth.kernel + kd) * s.height.kernel + kh) * s.width.kernel +
          kw) *
             in_per_group(s) +
         ci;
}

/// One element of dW by its coordinates; co and ci count inside group g.
struct Element {
  std::int64_t g = 0, co = 0, kd = 0, kh = 0, kw = 0, ci = 0;
  bool operator==(const Element&) const = default;
};

/// Coordinates of the dW element at an offset. Requires 0 <= offset < dw_elems(s).
inline Element element_at(const Shape& s, std::int64_t offset) {
  const auto next = [&offset](std::int64_t extent) {
    const std::int64_t digit = offset % extent;
    offset /= extent;
    return digit;
  };
  Element e;
  e.ci = next(in_per_group(s));
  e.kw = next(s.width.kernel);
  e.kh = next(s.height.kernel);
  e.kd = next(s.depth.kernel);
  e.co = next(out_per_group(s));
  e.g = offset;
  return e;
}

/// The offset of a dW element, the inverse of element_at.
inline std::int64_t offset_of(const Shape& s, const Element& e) {
  return dw_offset(s, e.g, e.co, e.kd, e.kh, e.kw, e.ci);
}

}  // namespace wgradcheck::spec
