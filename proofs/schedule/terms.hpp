#pragma once
#include "proofs/digits.hpp"
#include "proofs/schedule/scene.hpp"

/// What is claimed of a product: that it is one of the sum, and where its factors and its sum lie.
namespace wgradcheck::proofs {

/// The term that lies some steps from another.
template <class Int>
impl::Term<Int> moved(const impl::Term<Int>& t, const impl::Term<Int>& by) {
  return {t.n + by.n,   t.oh + by.oh, t.ow + by.ow, t.kh + by.kh,
          t.kw + by.kw, t.g + by.g,   t.co + by.co, t.ci + by.ci};
}

/// The term of a product of what a stage has packed: pixel i and channel j of the stage, row `row`.
template <class Int>
impl::Term<Int> packed_term(const Stage<Int>& from, const Packed<Int>& o, const Int& i, const Int& j,
                            const Int& row) {
  const auto& t = from.first;
  return {t.n, t.oh, t.ow + i, t.kh, t.kw, t.g, o.first.co + row, t.ci + j};
}

/// The term that lies some positions behind another, counted along rows, planes and images.
template <class Reading>
impl::Term<IntOf<Reading>> term_at(Reading& p, const spec::BasicShape<IntOf<Reading>>& s,
                                   const impl::Term<IntOf<Reading>>& first, const IntOf<Reading>& behind) {
  const auto position = (first.n * s.height.output + first.oh) * s.width.output + first.ow + behind;
  const auto line = spec::floor_div(position, s.width.output), n = spec::floor_div(line, s.height.output);
  const IntOf<Reading> zero = 0;
  p.claim("a position of the batch", 0 <= position && position < s.batch * s.height.output * s.width.output);
  p.use(quotient(zero, position, s.width.output));
  p.use(quotient(s.batch * s.height.output, position, s.width.output));
  p.use(quotient(zero, line, s.height.output));
  p.use(quotient(s.batch, line, s.height.output));
  const auto oh = line - n * s.height.output, ow = position - line * s.width.output;
  return {n, oh, ow, first.kh, first.kw, first.g, first.co, first.ci};
}

template <class Reading>
void claim_touches(Reading& p, const spec::Axis<IntOf<Reading>>& axis, const IntOf<Reading>& output,
                   const IntOf<Reading>& tap, std::string_view name) {
  const auto before = axis.pad_before - tap * axis.dilation;
  p.use(quotient(0 - output, 0 - before, axis.stride));
  p.use(quotient(0 - output, 0 - (axis.input + before), axis.stride));
  p.claim({"the tap touches ", name}, spec::touches(axis, output, tap));
}

/// The coordinates are those of a term of the sum.
template <class Reading>
void claim_term(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const impl::Term<IntOf<Reading>>& t) {
  p.claim("an image", 0 <= t.n && t.n < s.batch);
  p.claim("a tap", 0 <= t.kh && t.kh < s.height.kernel && 0 <= t.kw && t.kw < s.width.kernel);
  p.claim("an output", 0 <= t.oh && t.oh < s.height.output && 0 <= t.ow && t.ow < s.width.output);
  p.claim("a group", 0 <= t.g && t.g < s.groups);
  p.claim("an output channel", 0 <= t.co && t.co < out_per_group(s));
  p.claim("an input channel", 0 <= t.ci && t.ci < in_per_group(s));
  claim_touches(p, s.height, t.oh, t.kh, "height");
  claim_touches(p, s.width, t.ow, t.kw, "width");
}

/// The offset is that of a term's x, and lies in x.
template <class Reading>
void claim_x(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const impl::Term<IntOf<Reading>>& t,
             const IntOf<Reading>& offset) {
  const IntOf<Reading> zero = 0;
  const auto y = input_at(s.height, t.oh, t.kh), x = input_at(s.width, t.ow, t.kw);
  p.claim("the term's x", offset == spec::x_offset(s, t.n, zero, y, x, t.g, t.ci));
  p.use(digits(t.g, s.groups, t.ci, in_per_group(s)));
  use_digits(p, {{t.n, s.batch},
                 {y, s.height.input},
                 {x, s.width.input},
                 {t.g * in_per_group(s) + t.ci, s.in_channels}});
  p.claim("inside x", 0 <= offset && offset < x_elems(s));
}

/// The offset lies in dy: it is that of a position of a plane, counted along its rows.
template <class Reading>
void claim_dy(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const impl::Term<IntOf<Reading>>& t,
              const IntOf<Reading>& position, const IntOf<Reading>& offset) {
  const auto plane = s.height.output * s.width.output;
  const auto channel = t.g * out_per_group(s) + t.co;
  p.claim("an image", 0 <= t.n && t.n < s.batch);
  p.claim("a position", 0 <= position && position < plane);
  p.claim("a channel of the group", 0 <= t.g && t.g < s.groups && 0 <= t.co && t.co < out_per_group(s));
  p.use(digits(t.g, s.groups, t.co, out_per_group(s)));
  use_digits(p, {{t.n, s.batch}, {position, plane}, {channel, s.out_channels}});
  p.claim("the position's dy", offset == (t.n * plane + position) * s.out_channels + channel);
  p.claim("inside dy", 0 <= offset && offset < dy_elems(s));
}

/// The offset is that of a term's dy, and lies in dy.
template <class Reading>
void claim_dy_of(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const impl::Term<IntOf<Reading>>& t,
                 const IntOf<Reading>& offset) {
  const IntOf<Reading> zero = 0;
  p.use(digits(t.oh, s.height.output, t.ow, s.width.output));
  p.claim("the term's dy", offset == spec::dy_offset(s, t.n, zero, t.oh, t.ow, t.g, t.co));
  claim_dy(p, s, t, t.oh * s.width.output + t.ow, offset);
}

}  // namespace wgradcheck::proofs
