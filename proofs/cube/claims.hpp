#pragma once
#include "proofs/cube/addresses.hpp"

/// What is claimed of each operation of a schedule of the cube.
namespace wgradcheck::proofs::cube {

/// Rows and columns of the panels and of the sums of a tile.
template <class Reading>
IntOf<Reading> rows_of(const Work<Reading>& w) {
  return impl::length(w.tile.blocks) * kLanes;
}
template <class Reading>
IntOf<Reading> cols_of(const Work<Reading>& w) {
  return impl::length(w.tile.sixteens) * kLanes;
}

/// A place in a panel of a slice, [positions][columns], lies inside it.
template <class Reading>
void claim_in_panel(const Scene<Reading>& scene, const IntOf<Reading>& position, const IntOf<Reading>& column,
                    const IntOf<Reading>& columns) {
  auto& p = scene.work.p;
  const auto most = spec::min(scene.work.tile.positions, scene.work.slice_tile);
  p.claim("a position of the slice", 0 <= position && position < impl::length(scene.slice()));
  p.claim("a column of the panel", 0 <= column && column < columns);
  p.claim("no more than memory holds", impl::length(scene.slice()) <= most);
  p.use(digits(position, most, column, columns));
  p.claim("inside the panel",
          0 <= position * columns + column && position * columns + column < most * columns);
}

template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule&, const ClearSums<IntOf<Reading>>& o) {
  scene.work.p.claim("all of the tile's", o.rows == rows_of(scene.work) && o.cols == cols_of(scene.work));
}

/// The output that a position of a slice is.
template <class Reading>
impl::Range<IntOf<Reading>> claim_output(const Scene<Reading>& scene, const IntOf<Reading>& i) {
  const auto& w = scene.work;
  const IntOf<Reading> zero = 0, position = scene.slice().first + i;
  const auto line = spec::floor_div(position, w.width.output);
  w.p.use(quotient(zero, position, w.width.output));
  w.p.use(quotient(w.rows.last - w.rows.first, position, w.width.output));
  w.p.claim("a row of the block", 0 <= line && line < w.rows.last - w.rows.first);
  return {w.rows.first + line, position - line * w.width.output};
}

template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule&, const StageDy<IntOf<Reading>>& o) {
  const auto& w = scene.work;
  auto& p = w.p;
  const auto block = scene.way.choices()[1], first = w.tile.blocks.first;
  p.claim("all positions of the slice", o.count == impl::length(scene.slice()));
  const auto i = index_below(p, "position", o.count), l = index_below(p, "lane", kLanes);
  const auto [oh, ow] = claim_output(scene, i);
  const IntOf<Reading> none = 0;
  claim_dy(w, given_tensors(w), {oh, ow, none, none, block, l, none, none}, o.from + i * kLanes + l);
  p.claim("rows of the panel", o.step == rows_of(w));
  p.claim("its own column", o.at == (block - first) * kLanes);
  claim_in_panel(scene, i, IntOf<Reading>(o.at + l), o.step);
}

/// Every block of the tile is packed in each slice, and no two elements in one place.
template <class Reading, class Schedule>
void claim_packs_all(const Scene<Reading>& scene, const Schedule& schedule, const Place& place,
                     const StageDy<IntOf<Reading>>& o) {
  const auto& w = scene.work;
  auto& p = w.p;
  const auto block = p.integer("packed block");
  p.assume("a block of the tile", impl::contains(w.tile.blocks, block));
  const auto all = on_way(w, schedule, {{place}, {scene.way.choices()[0], block}, true, "'"});
  const auto& o2 = as<StageDy>(all.way.met()[0]);
  const auto i = index_below(p, "position'", o.count), l = index_below(p, "lane'", kLanes),
             i2 = index_below(p, "position\"", o2.count), l2 = index_below(p, "lane\"", kLanes);
  p.use(same_digits(i, o.at + l, i2, o2.at + l2, o.step));
  p.claim("in one place the same element", implies(i * o.step + o.at + l == i2 * o2.step + o2.at + l2,
                                                   i == i2 && l == l2 && scene.way.choices()[1] == block));
}

/// What decides whether zeros may be multiplied: all of a slice's panel of dy.
template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule&, const FinitePanel<IntOf<Reading>>& o) {
  scene.work.p.claim("all of the panel",
                     o.count == impl::length(scene.slice()) && o.rows == rows_of(scene.work));
}

}  // namespace wgradcheck::proofs::cube
