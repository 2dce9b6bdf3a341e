#pragma once
#include "proofs/host/staging.hpp"

/// What is claimed of operations on lanes. Staged pixels lie one behind the other, each of as many floats as
/// the part has lanes; of dy there is a map of them for each output channel of a group.
namespace wgradcheck::proofs::host {

template <class Reading>
auto is_sum(const Scene<Reading>& scene, const Lane<IntOf<Reading>>& l,
            const LaneProducts<IntOf<Reading>>& o) {
  return 0 <= l.row && l.row < out_per_group(scene.s) && 0 <= l.column && l.column < o.lanes && 0 <= l.down &&
         l.down < o.taps.rows && 0 <= l.right && l.right < o.taps.columns;
}
template <class Reading>
Lane<IntOf<Reading>> given_lane(Scene<Reading>& scene, const LaneProducts<IntOf<Reading>>& o,
                                std::string_view suffix) {
  auto& p = scene.p;
  const auto row = index_below(p, {"row", suffix}, out_per_group(scene.s)),
             column = index_below(p, {"column", suffix}, o.lanes),
             down = index_below(p, {"down", suffix}, o.taps.rows),
             right = index_below(p, {"right", suffix}, o.taps.columns);
  const IntOf<Reading> zero = 0;
  return given_pixel(p, o, suffix, {zero, zero, zero, row, column, down, right});
}
template <class Int>
auto begins(const LaneProducts<Int>& o) {
  return o.sums.first;
}

/// A lane of a staged pixel of a box.
template <class Int>
struct Staging {
  Box<Int> box;
  Int lanes, plane, line, pixel, lane;
};
/// Its place is this one, inside of what is staged.
template <class Reading>
void claim_lane_place(Reading& p, const Staging<IntOf<Reading>>& of, const IntOf<Reading>& place) {
  p.claim("the lane's place",
          place == pixel_at(of.box.lines, of.box.pixels, of.plane, of.line, of.pixel) * of.lanes + of.lane);
  use_digits(
      p,
      {{of.plane, of.box.planes}, {of.line, of.box.lines}, {of.pixel, of.box.pixels}, {of.lane, of.lanes}});
  p.claim("inside the staged lanes",
          0 <= place && place < of.box.planes * of.box.lines * of.box.pixels * of.lanes);
}

/// The pixels of x that a box stages.
template <class Reading, class Schedule>
Box<IntOf<Reading>> staged_x(const Scene<Reading>& scene, const Schedule& schedule) {
  return {impl::length(outputs_on(scene, schedule).planes), lines_of(schedule.lines(scene)),
          lines_of(schedule.pixels(scene))};
}
template <class Reading, class Schedule>
Box<IntOf<Reading>> staged_dy(const Scene<Reading>& scene, const Schedule& schedule) {
  const auto o = outputs_on(scene, schedule);
  return {impl::length(o.planes), impl::length(o.lines), impl::length(o.pixels)};
}

/// Each pixel of x that is picked for the box, the part's lanes.
template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const WidenLanes<IntOf<Reading>>& op) {
  auto& [p, s, part, cut, way] = scene;
  const auto o = outputs_on(scene, schedule);
  const auto [plane, line] = packed_line(scene, schedule);
  const auto i = index_below(p, "pixel", op.count), lane = index_below(p, "lane", op.channels);
  const auto [n, at, lines, pixels] = claim_picked(scene, schedule, plane, line, i);
  const auto [g, none, ci] = schedule.channel_of(scene, lane);
  claim_x_at(p, s, n, at, g, ci, op.from + i * op.step + lane);
  p.claim("all pixels of the line", op.count == pixels.count);
  p.claim("the part's lanes", op.channels == impl::length(part.ins));
  claim_lane_place(p,
                   {staged_x(scene, schedule), impl::length(part.ins), plane - o.planes.first, line, i, lane},
                   op.to + i * op.channels + lane);
}

/// Each pixel of dy of the box: in each map, of each lane the output channel of its group.
template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const SpreadDy<IntOf<Reading>>& op) {
  auto& [p, s, part, cut, way] = scene;
  const auto o = outputs_on(scene, schedule);
  const auto [plane, oh] = packed_line(scene, schedule);
  const auto lanes = impl::length(part.ins);
  const auto i = index_below(p, "pixel", op.count), lane = index_below(p, "lane", lanes),
             map = index_below(p, "map", out_per_group(s));
  claim_plane(p, s, way.choices()[0], o, plane);
  const auto at = plane_at(o, plane);
  const auto [g, none, ci] = schedule.channel_of(scene, lane);
  claim_dy(p, s, {at.n, at.d, oh, o.pixels.first + i, none, none, none, g, map, none},
           op.from + i * s.out_channels + g * out_per_group(s) + map);
  p.claim("all pixels of the line", op.count == impl::length(o.pixels));
  p.claim("the part's lanes", op.channels.first == part.ins.first && op.channels.last == part.ins.last);
  const auto box = staged_dy(scene, schedule);
  p.claim("a map", op.map == box.planes * box.lines * box.pixels * lanes);
  claim_lane_place(p, {box, lanes, plane - o.planes.first, oh - o.lines.first, i, lane},
                   op.to + i * lanes + lane);
}

}  // namespace wgradcheck::proofs::host
