#pragma once
#include "proofs/cube/staging.hpp"

/// What is claimed of products: that they are those of the sum, of what was packed for them, each once.
namespace wgradcheck::proofs::cube {

/// A product of what a stage has packed, of any of its pixels and lanes and of any channel of the tile.
template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule&, const StageX<IntOf<Reading>>& from,
           const Multiply<IntOf<Reading>>& o) {
  const auto& w = scene.work;
  auto& p = w.p;
  const auto i = index_below(p, "pixel", from.count), l = index_below(p, "lane", kLanes),
             out = p.integer("out block"), out_lane = index_below(p, "out lane", kLanes);
  p.assume("an output channel of the tile", impl::contains(w.tile.blocks, out));
  claim_row(scene);
  const auto t = staged_term(scene, i, l, out, out_lane);
  claim_term(w, t);
  const auto of = given_tensors(w);
  claim_x(w, of, t, from.from + i * from.from_step + l);
  // dy was packed in rows of the tile's channels, a position each.
  const auto position = from.row + i, row = (out - w.tile.blocks.first) * kLanes + out_lane;
  p.claim("a packed place that it reads", 0 <= position && position < o.depth && from.step == o.cols &&
                                              0 <= from.at + l && from.at + l < o.cols);
  p.claim("a packed row that it reads", 0 <= row && row < o.rows && o.rows == rows_of(w));
  p.claim("of the term's position", scene.slice().first + o.row + position == position_of(w, t));
  p.claim("in the slice", 0 <= o.row + position && o.row + position < impl::length(scene.slice()));
  claim_dy(w, of, t,
           out * (w.height.output * w.width.output * kLanes) + position_of(w, t) * kLanes + out_lane);
  p.claim("the term's sum",
          o.step == cols_of(w) &&
              o.at + from.at + l == (sixteen_of(w, t) - w.tile.sixteens.first) * kLanes + t.in_lane);
}

template <class Reading, class Schedule>
void claim_covers(Scene<Reading>& scene, const Schedule&, const Term<IntOf<Reading>>& t,
                  const StageX<IntOf<Reading>>& from, const Multiply<IntOf<Reading>>&) {
  auto& p = scene.work.p;
  const auto i = t.ow - scene.way.ranges()[1].first;
  p.claim("a pixel that is packed", 0 <= i && i < from.count);
  claim_same(p, t, staged_term(scene, i, t.in_lane, t.out, t.out_lane));
}

template <class Reading, class Schedule>
Term<IntOf<Reading>> any_term(Scene<Reading>& scene, const Schedule&, const std::string& suffix,
                              const StageX<IntOf<Reading>>& from, const Multiply<IntOf<Reading>>&) {
  auto& p = scene.work.p;
  const auto i = index_below(p, {"pixel", suffix}, from.count), l = index_below(p, {"lane", suffix}, kLanes);
  const IntOf<Reading> none = 0;
  return staged_term(scene, i, l, scene.work.tile.blocks.first, none);
}

/// What the first products read of x: a sixteen at a position that reads no input is 0.
template <class Reading, class Schedule>
void claim_zeros(Scene<Reading>& scene, const Schedule&, const ZeroX<IntOf<Reading>>& zeros,
                 const Multiply<IntOf<Reading>>& o) {
  const auto& w = scene.work;
  auto& p = w.p;
  const auto slice = scene.slice();
  p.claim("the panel", o.depth == impl::length(slice) && o.row == 0 && o.cols == cols_of(w) && o.at == 0 &&
                           o.rows == rows_of(w));
  const auto i = index_below(p, "position", o.depth);
  const auto [oh, ow] = claim_output(scene, i);
  const auto column = claim_column(w.p, w.plane(), scene.way.choices()[1]);
  const auto lines = impl::cube::lines_of(w.plane(), slice);
  const auto line = oh - w.rows.first;
  const auto& wo = w.width.output;
  p.use(quotient(line + 1, slice.first, wo));
  p.use(quotient(0 - line, 0 - slice.last, wo));
  p.claim("a line of the slice", impl::contains(lines, oh));
  p.use(product(oh - lines.first, w.height.stride));
  p.use(product(lines.last - 1 - oh, w.height.stride));
  p.use(product(ow, w.width.stride));
  p.use(product(wo - 1 - ow, w.width.stride));
  p.claim("what is padding is cleared", i < zeros.count || (spec::touches(w.height, oh, column.kh) &&
                                                            spec::touches(w.width, ow, column.kw)));
}

/// What the second products read is what was packed for them.
template <class Reading, class Schedule>
void claim_reads(Scene<Reading>& scene, const Schedule&, const StageX<IntOf<Reading>>& from,
                 const Multiply<IntOf<Reading>>& o) {
  const auto& w = scene.work;
  w.p.claim("all that is packed", o.depth == from.count && o.cols == kLanes && from.step == kLanes &&
                                      from.row == 0 && from.at == 0);
  w.p.claim("of dy", o.rows == rows_of(w));
}

/// Two things that are packed in one place of a slice are one; zeros are of the same columns.
template <class Reading>
void claim_apart(Scene<Reading>& one, Scene<Reading>& two, const StageX<IntOf<Reading>>& o,
                 const StageX<IntOf<Reading>>& o2) {
  const auto& w = one.work;
  auto& p = w.p;
  const auto i = index_below(p, "pixel'", o.count), i2 = index_below(p, "pixel\"", o2.count),
             l = index_below(p, "lane'", kLanes), l2 = index_below(p, "lane\"", kLanes);
  p.assume("the same place", o.row + i == o2.row + i2 && o.at + l == o2.at + l2);
  const IntOf<Reading> none = 0;
  const auto t = staged_term(one, i, l, none, none), t2 = staged_term(two, i2, l2, none, none);
  const auto &sixteen = one.way.choices()[1], &sixteen2 = two.way.choices()[1];
  p.claim("the same columns", sixteen == sixteen2 && l == l2);
  const auto line = spec::floor_div(sixteen, w.width.kernel);
  claim_quotient(p, line, sixteen2, w.width.kernel);
  claim_quotient(p, spec::floor_div(line, w.height.kernel), spec::floor_div(sixteen2, w.width.kernel),
                 w.height.kernel);
  p.use(same_digits(t.oh, t.ow, t2.oh, t2.ow, w.width.output));
  claim_same(p, t, t2);
}

}  // namespace wgradcheck::proofs::cube
