#pragma once
#include "proofs/digits.hpp"
#include "proofs/host/any_schedule.hpp"
#include "proofs/schedule/terms.hpp"

/// What is claimed of a product: that it is one of the sum, and where its factors and its sum lie.
namespace wgradcheck::proofs::host {

/// Any term of the sum of a part.
template <class Reading, OfHost Schedule>
Term<IntOf<Reading>> given_term(const Work<Reading>& work, const Schedule& schedule) {
  auto& [p, s, part, cut] = work;
  const auto n = index_below(p, "n", s.batch), d = index_below(p, "od", s.depth.output),
             oh = index_below(p, "oh", s.height.output), ow = index_below(p, "ow", s.width.output),
             kd = index_below(p, "kd", s.depth.kernel), kh = index_below(p, "kh", s.height.kernel),
             kw = index_below(p, "kw", s.width.kernel);
  const auto [g, co, ci] = schedule.given_channels(work);
  p.assume("the tap touches depth", spec::touches(s.depth, d, kd));
  p.assume("the tap touches height", spec::touches(s.height, oh, kh));
  p.assume("the tap touches width", spec::touches(s.width, ow, kw));
  claim_touches(p, s.depth, d, kd, "depth");
  claim_touches(p, s.height, oh, kh, "height");
  claim_touches(p, s.width, ow, kw, "width");
  return {n, d, oh, ow, kd, kh, kw, g, co, ci};
}

/// The coordinates are those of an image, an output, a tap and channels.
template <class Reading>
void claim_coordinates(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const Term<IntOf<Reading>>& t) {
  p.claim("an image", 0 <= t.n && t.n < s.batch);
  p.claim("a tap", 0 <= t.kd && t.kd < s.depth.kernel && 0 <= t.kh && t.kh < s.height.kernel && 0 <= t.kw &&
                       t.kw < s.width.kernel);
  p.claim("an output", 0 <= t.d && t.d < s.depth.output && 0 <= t.oh && t.oh < s.height.output && 0 <= t.ow &&
                           t.ow < s.width.output);
  p.claim("a group", 0 <= t.g && t.g < s.groups);
  p.claim("an output channel", 0 <= t.co && t.co < out_per_group(s));
  p.claim("an input channel", 0 <= t.ci && t.ci < in_per_group(s));
}

/// The coordinates are those of a term of the sum.
template <class Reading>
void claim_term(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const Term<IntOf<Reading>>& t) {
  claim_coordinates(p, s, t);
  claim_touches(p, s.depth, t.d, t.kd, "depth");
  claim_touches(p, s.height, t.oh, t.kh, "height");
  claim_touches(p, s.width, t.ow, t.kw, "width");
}

/// An element of an input plane: depth, height, width.
template <class Int>
struct Input {
  Int z, y, x;
};

/// The offset is that of channel ci of group g of an element of x, and lies in x.
template <class Reading>
void claim_x_at(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const IntOf<Reading>& n,
                const Input<IntOf<Reading>>& at, const IntOf<Reading>& g, const IntOf<Reading>& ci,
                const IntOf<Reading>& offset) {
  p.claim("its x", offset == spec::x_offset(s, n, at.z, at.y, at.x, g, ci));
  p.use(digits(g, s.groups, ci, in_per_group(s)));
  use_digits(p, {{n, s.batch},
                 {at.z, s.depth.input},
                 {at.y, s.height.input},
                 {at.x, s.width.input},
                 {g * in_per_group(s) + ci, s.in_channels}});
  p.claim("inside x", 0 <= offset && offset < x_elems(s));
}

/// The offset is that of a term's x, and lies in x.
template <class Reading>
void claim_x(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const Term<IntOf<Reading>>& t,
             const IntOf<Reading>& offset) {
  claim_x_at(p, s, t.n,
             {input_at(s.depth, t.d, t.kd), input_at(s.height, t.oh, t.kh), input_at(s.width, t.ow, t.kw)},
             t.g, t.ci, offset);
}

/// The offset is that of a term's dy, and lies in dy.
template <class Reading>
void claim_dy(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const Term<IntOf<Reading>>& t,
              const IntOf<Reading>& offset) {
  p.claim("the term's dy", offset == spec::dy_offset(s, t.n, t.d, t.oh, t.ow, t.g, t.co));
  p.use(digits(t.g, s.groups, t.co, out_per_group(s)));
  use_digits(p, {{t.n, s.batch},
                 {t.d, s.depth.output},
                 {t.oh, s.height.output},
                 {t.ow, s.width.output},
                 {t.g * out_per_group(s) + t.co, s.out_channels}});
  p.claim("inside dy", 0 <= offset && offset < dy_elems(s));
}

template <class Reading>
void claim_same(Reading& p, const Term<IntOf<Reading>>& a, const Term<IntOf<Reading>>& b) {
  p.claim("the same image", a.n == b.n);
  p.claim("the same output", a.d == b.d && a.oh == b.oh && a.ow == b.ow);
  p.claim("the same tap", a.kd == b.kd && a.kh == b.kh && a.kw == b.kw);
  p.claim("the same channels", a.g == b.g && a.co == b.co && a.ci == b.ci);
}

}  // namespace wgradcheck::proofs::host
