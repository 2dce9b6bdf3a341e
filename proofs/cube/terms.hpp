#pragma once
#include "proofs/cube/scene.hpp"
#include "proofs/schedule/terms.hpp"

/// What is claimed of a term: that it is one of the sum of a tile.
namespace wgradcheck::proofs::cube {

/// Number of the sixteen of columns of a term, counted from the work's first on, and of its position.
template <class Reading>
IntOf<Reading> sixteen_of(const Work<Reading>& w, const Term<IntOf<Reading>>& t) {
  return (t.in * w.height.kernel + t.kh) * w.width.kernel + t.kw;
}
template <class Reading>
IntOf<Reading> position_of(const Work<Reading>& w, const Term<IntOf<Reading>>& t) {
  return (t.oh - w.rows.first) * w.width.output + t.ow;
}

/// Any term of the sum of a tile.
template <class Reading, OfCube Schedule>
Term<IntOf<Reading>> given_term(const Work<Reading>& w, const Schedule&) {
  auto& p = w.p;
  const auto oh = p.integer("oh"), ow = index_below(p, "ow", w.width.output),
             kh = index_below(p, "kh", w.height.kernel), kw = index_below(p, "kw", w.width.kernel),
             out = p.integer("out block"), out_lane = index_below(p, "out lane", kLanes),
             in = p.integer("in block"), in_lane = index_below(p, "in lane", kLanes);
  const Term<IntOf<Reading>> t{oh, ow, kh, kw, out, out_lane, in, in_lane};
  p.assume("a row of the block", impl::contains(w.rows, oh));
  p.assume("an output channel of the tile", impl::contains(w.tile.blocks, out));
  p.assume("a column of the tile", impl::contains(w.tile.sixteens, sixteen_of(w, t)));
  p.assume("the tap touches height", spec::touches(w.height, oh, kh));
  p.assume("the tap touches width", spec::touches(w.width, ow, kw));
  claim_touches(p, w.height, oh, kh, "height");
  claim_touches(p, w.width, ow, kw, "width");
  return t;
}

/// The column of a sixteen: a tap, and a block of channels.
template <class Reading>
impl::cube::Column<IntOf<Reading>> claim_column(Reading& p, const impl::cube::Plane<IntOf<Reading>>& plane,
                                                const IntOf<Reading>& sixteen) {
  const auto column = impl::cube::column_at(plane, sixteen);
  const IntOf<Reading> zero = 0;
  p.use(quotient(zero, sixteen, plane.width.kernel));
  p.use(quotient(zero, spec::floor_div(sixteen, plane.width.kernel), plane.height.kernel));
  p.claim("a column", 0 <= column.block && 0 <= column.kh && column.kh < plane.height.kernel &&
                          0 <= column.kw && column.kw < plane.width.kernel);
  return column;
}

/// The coordinates are those of a term of the sum of the tile.
template <class Reading>
void claim_term(const Work<Reading>& w, const Term<IntOf<Reading>>& t) {
  auto& p = w.p;
  p.claim("a row of the block", impl::contains(w.rows, t.oh));
  p.claim("an output", 0 <= t.ow && t.ow < w.width.output);
  p.claim("an output channel of the tile", impl::contains(w.tile.blocks, t.out));
  p.claim("a column of the tile", impl::contains(w.tile.sixteens, sixteen_of(w, t)));
  p.claim("lanes", 0 <= t.out_lane && t.out_lane < kLanes && 0 <= t.in_lane && t.in_lane < kLanes);
  claim_touches(p, w.height, t.oh, t.kh, "height");
  claim_touches(p, w.width, t.ow, t.kw, "width");
}

template <class Reading>
void claim_same(Reading& p, const Term<IntOf<Reading>>& a, const Term<IntOf<Reading>>& b) {
  p.claim("the same output", a.oh == b.oh && a.ow == b.ow);
  p.claim("the same tap", a.kh == b.kh && a.kw == b.kw);
  p.claim("the same output channel", a.out == b.out && a.out_lane == b.out_lane);
  p.claim("the same input channel", a.in == b.in && a.in_lane == b.in_lane);
}

}  // namespace wgradcheck::proofs::cube
