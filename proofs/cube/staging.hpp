#pragma once
#include "proofs/cube/claims.hpp"

/// What is claimed of the operations that stage x.
namespace wgradcheck::proofs::cube {

/// No row is cleared where all that the lines of the slice read through the tap lies inside x.
template <class Reading>
void claim_none_in_vain(const Scene<Reading>& scene, const IntOf<Reading>& count) {
  const auto& w = scene.work;
  const auto column = impl::cube::column_at(w.plane(), scene.way.choices()[1]);
  const auto lines = impl::cube::lines_of(w.plane(), scene.slice());
  const IntOf<Reading> zero = 0, last = w.width.output - 1;
  const auto& wo = w.width.output;
  const auto line = spec::floor_div(scene.slice().first, wo);
  w.p.use(quotient(0 - line, 0 - scene.slice().last, wo));
  w.p.claim("a line", lines.first < lines.last);
  w.p.use(product(lines.last - 1 - lines.first, w.height.stride));
  w.p.use(product(last, w.width.stride));
  w.p.claim("none in vain",
            iff(count == 0, spec::touches(w.height, lines.first, column.kh) &&
                                spec::touches(w.height, IntOf<Reading>(lines.last - 1), column.kh) &&
                                spec::touches(w.width, zero, column.kw) &&
                                spec::touches(w.width, last, column.kw)));
}

template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule&, const ZeroX<IntOf<Reading>>& o) {
  const auto& w = scene.work;
  auto& p = w.p;
  p.claim("all rows or none", o.count == 0 || o.count == impl::length(scene.slice()));
  claim_none_in_vain(scene, o.count);
  const auto i = index_below(p, "position", IntOf<Reading>(impl::length(scene.slice()))),
             l = index_below(p, "lane", kLanes);
  p.claim("rows of the panel", o.step == cols_of(w));
  p.claim("its own columns", o.at == (scene.way.choices()[1] - w.tile.sixteens.first) * kLanes);
  claim_in_panel(scene, i, IntOf<Reading>(o.at + l), o.step);
}

/// The term, but for its output channel, of a pixel and a lane that are staged.
template <class Reading>
Term<IntOf<Reading>> staged_term(const Scene<Reading>& scene, const IntOf<Reading>& pixel,
                                 const IntOf<Reading>& lane, const IntOf<Reading>& out,
                                 const IntOf<Reading>& out_lane) {
  const auto& w = scene.work;
  const auto column = claim_column(w.p, w.plane(), scene.way.choices()[1]);
  return {scene.way.choices()[2],
          scene.way.ranges()[1].first + pixel,
          column.kh,
          column.kw,
          out,
          out_lane,
          column.block,
          lane};
}

/// The row of the block lies in it where a position of a slice does.
template <class Reading>
void claim_row(const Scene<Reading>& scene) {
  const auto& w = scene.work;
  const auto slice = scene.slice();
  const auto& wo = w.width.output;
  const IntOf<Reading> zero = 0, rows = w.rows.last - w.rows.first;
  w.p.use(quotient(zero, slice.first, wo));
  w.p.use(quotient(zero - rows, zero - slice.last, wo));
  w.p.claim("a row of the block", impl::contains(w.rows, scene.way.choices()[2]));
}

template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule&, const StageX<IntOf<Reading>>& o) {
  const auto& w = scene.work;
  auto& p = w.p;
  const IntOf<Reading> none = 0;
  p.claim("an extent", 1 <= o.count);
  const auto i = index_below(p, "pixel", o.count), l = index_below(p, "lane", kLanes);
  claim_row(scene);
  const auto t = staged_term(scene, i, l, w.tile.blocks.first, none);
  claim_term(w, t);
  claim_x(w, given_tensors(w), t, o.from + i * o.from_step + l);
  claim_in_panel(scene, IntOf<Reading>(o.row + i), IntOf<Reading>(o.at + l), o.step);
  p.claim("no wider than the panel", o.step <= cols_of(w));
}

}  // namespace wgradcheck::proofs::cube
