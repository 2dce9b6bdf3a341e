#pragma once
#include "proofs/schedule/products.hpp"

/// What is claimed of each operation of a schedule. `schedule.lemmas(scene, operation)` takes the steps that
/// only the schedule itself knows.
namespace wgradcheck::proofs {

/// Every extent of an operation is at least 1, so that the first addresses which it forms are among those
/// that it reads.
template <class Reading>
void claim_extents(Reading& p, std::initializer_list<IntOf<Reading>> extents) {
  for (const auto& extent : extents) p.claim("an extent", 1 <= extent);
}

template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const Tiles<IntOf<Reading>>& o) {
  schedule.lemmas(scene, o);
  scene.p.claim("a tile holds something", 1 <= o.size);
}

/// An operation that reads `rows` channels of dy at consecutive positions.
template <class Reading, class Schedule, class Operation>
void claim_reads_dy(Scene<Reading>& scene, const Schedule& schedule, const Operation& o,
                    const IntOf<Reading>& positions) {
  auto& p = scene.p;
  schedule.lemmas(scene, o);
  claim_extents(p, {positions, o.rows});
  const auto i = index_below(p, "position", positions), row = index_below(p, "row", o.rows);
  const auto s = scene.shape();
  p.use(digits(o.first.oh, s.height.output, o.first.ow + i, s.width.output));
  claim_dy(p, s, moved(o.first, {0, 0, 0, 0, 0, 0, row, 0}), o.first.oh * s.width.output + o.first.ow + i,
           o.dy + i * s.out_channels + row);
}

template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const Finite<IntOf<Reading>>& o) {
  claim_reads_dy(scene, schedule, o, o.positions);
}

template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const Packed<IntOf<Reading>>& o) {
  claim_reads_dy(scene, schedule, o, o.depth);
}

/// What a stage reads.
template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const Stage<IntOf<Reading>>& o) {
  auto& p = scene.p;
  schedule.lemmas(scene, o);
  claim_extents(p, {o.count, o.channels});
  const auto i = index_below(p, "pixel", o.count), j = index_below(p, "channel", o.channels);
  const auto s = scene.shape();
  const auto term = moved(o.first, {0, 0, i, 0, 0, 0, 0, j});
  claim_term(p, s, term);
  claim_x(p, s, term, o.x + i * o.x_step + j);
}

/// A product of what a stage has packed.
template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const Stage<IntOf<Reading>>& from,
           const Packed<IntOf<Reading>>& o) {
  auto& p = scene.p;
  schedule.lemmas(scene, from);
  schedule.lemmas(scene, o);
  const auto row = index_below(p, "row", o.rows), i = index_below(p, "pixel", from.count),
             j = index_below(p, "channel", from.channels);
  const auto position = from.row + i, col = from.col + j;
  p.claim("of the same row length", from.step == o.step);
  p.claim("a packed place that it reads", 0 <= position && position < o.depth && 0 <= col && col < o.cols);
  claim_product(
      scene, schedule, packed_term(from, o, i, j, row),
      {from.x + i * from.x_step + j, o.dy + position * scene.c.output_channel + row, row, o.col + col});
}

template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const InPlace<IntOf<Reading>>& o) {
  auto& p = scene.p;
  schedule.lemmas(scene, o);
  claim_extents(p, {o.rows, o.cols, o.depth});
  const auto row = index_below(p, "row", o.rows), col = index_below(p, "col", o.cols),
             i = index_below(p, "position", o.depth);
  const auto s = scene.shape();
  const auto term = moved(term_at(p, s, o.first, i), {0, 0, 0, 0, 0, 0, row, col});
  schedule.lemmas(scene, term);
  claim_product(scene, schedule, term,
                {o.x + i * s.in_channels + col, o.dy + i * s.out_channels + row, row, col});
}

template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const Channels<IntOf<Reading>>& o) {
  auto& p = scene.p;
  schedule.lemmas(scene, o);
  claim_extents(p, {o.channels, o.rows, o.cols});
  const auto channel = index_below(p, "channel", o.channels), i = index_below(p, "line", o.rows),
             j = index_below(p, "pixel", o.cols);
  const auto s = scene.shape();
  const auto term = moved(o.first, {0, i, j, 0, 0, channel, 0, 0});
  schedule.lemmas(scene, term);
  claim_product(
      scene, schedule, term,
      {o.x + i * (s.height.stride * s.width.input * s.in_channels) + j * (s.width.stride * s.in_channels) +
           channel,
       o.dy + i * (s.width.output * s.out_channels) + j * s.out_channels + channel, o.row + channel, o.col});
}

}  // namespace wgradcheck::proofs
