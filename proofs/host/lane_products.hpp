#pragma once
#include "proofs/host/lane_claims.hpp"

/// What is claimed of products of lanes, of pixels that were staged for their box or lie in place.
namespace wgradcheck::proofs::host {

template <class Reading, class Schedule>
void claim_lane_x(Scene<Reading>& scene, const Schedule& schedule, const Term<IntOf<Reading>>& t,
                  const Lane<IntOf<Reading>>& l, const IntOf<Reading>& offset) {
  auto& [p, s, part, cut, way] = scene;
  const auto height = schedule.lines(scene), width = schedule.pixels(scene);
  const auto lines = impl::picked(height.axis, height.outputs, height.taps),
             pixels = impl::picked(width.axis, width.outputs, width.taps);
  const auto oh = t.oh - l.line, ow = t.ow - l.pixel, kh = t.kh - l.down, kw = t.kw - l.right;
  p.use(picks_what_is_read(height, oh, l.line, kh, l.down));
  p.use(picks_what_is_read(width, ow, l.pixel, kw, l.right));
  const auto y = staged_from(height, lines, oh, l.line, kh, l.down),
             x = staged_from(width, pixels, ow, l.pixel, kw, l.right);
  const auto line = lines.first + y * lines.step, pixel = pixels.first + x * pixels.step;
  p.claim("a line that is picked", 0 <= y && y < lines.count && line == input_at(s.height, t.oh, t.kh));
  p.claim("a pixel that is picked", 0 <= x && x < pixels.count && pixel == input_at(s.width, t.ow, t.kw));
  if (way.way().x_in_place) {
    p.use(times(line, input_at(s.height, t.oh, t.kh), s.width.input * s.in_channels));
    p.use(times(pixel, input_at(s.width, t.ow, t.kw), s.in_channels));
    claim_x(p, s, t, offset);
  } else {
    claim_lane_place(p, {staged_x(scene, schedule), impl::length(part.ins), l.plane, y, x, l.column}, offset);
  }
}

/// In place a vector of dy holds whole groups, which share it: a lane's k-th is the k-th of its group.
template <class Reading, class Schedule>
void claim_lane_dy(Scene<Reading>& scene, const Schedule& schedule, const Term<IntOf<Reading>>& t,
                   const Lane<IntOf<Reading>>& l, const IntOf<Reading>& offset, const IntOf<Reading>& map) {
  auto& [p, s, part, cut, way] = scene;
  if (way.way().dy_in_place) {
    const auto ci = in_per_group(s), before = p.integer("groups before"),
               group = spec::floor_div(l.column, ci);
    p.assume("as many output channels of a group", out_per_group(s) == ci);
    p.assume("a part begins with a group", part.ins.first == before * ci);
    p.use(quotient(group, l.column, ci));
    p.use(quotient(group + 1, l.column, ci));
    claim_quotient(p, before + group, part.ins.first + l.column, ci);
    p.use(times(out_per_group(s), ci, t.g));
    claim_dy(p, s, t, offset + group * ci + l.row);
    return;
  }
  const auto o = outputs_on(scene, schedule);
  const auto box = staged_dy(scene, schedule);
  const auto lanes = impl::length(part.ins);
  p.claim("a map", map == box.planes * box.lines * box.pixels * lanes);
  claim_lane_place(p, {box, lanes, l.plane, t.oh - o.lines.first, t.ow - o.pixels.first, l.column},
                   offset + l.column);
}

/// A product of a lane is one of the sum.
template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const LaneProducts<IntOf<Reading>>& op) {
  auto& [p, s, part, cut, way] = scene;
  const auto l = given_lane(scene, op, "");
  const auto t = schedule.term(scene, l);
  schedule.use_meets_of(scene, t);
  claim_term(p, s, t);
  schedule.claim_sum(scene, t, schedule.sum(scene, op, l));
  p.claim("the part's lanes", op.lanes == impl::length(part.ins));
  const auto at = [&l](const auto& view) {
    return view.at + l.plane * view.plane + l.line * view.line + l.pixel * view.pixel;
  };
  claim_lane_x(scene, schedule, t, l,
               at(op.x) + l.down * op.steps.row + l.right * op.steps.column + l.column);
  claim_lane_dy(scene, schedule, t, l, at(op.dy), op.map);
}

/// Two lanes of pixels that are staged in one place, while a box is worked on, are the same.
template <class Reading, class Schedule>
void claim_lanes_apart(Scene<Reading>& one, Scene<Reading>& two, const Schedule& schedule, const auto& op,
                       const auto& op2, const Box<IntOf<Reading>>& box, const IntOf<Reading>& first_line) {
  auto& p = one.p;
  const auto lanes = impl::length(one.part.ins);
  const auto i = index_below(p, "pixel", op.count), i2 = index_below(p, "pixel'", op2.count),
             lane = index_below(p, "lane", lanes), lane2 = index_below(p, "lane'", lanes);
  const auto first_plane = outputs_on(one, schedule).planes.first;
  const auto [plane, line] = packed_line(one, schedule);
  const auto [plane2, line2] = packed_line(two, schedule);
  const auto l1 = (plane - first_plane) * box.lines + line - first_line,
             l2 = (plane2 - first_plane) * box.lines + line2 - first_line;
  p.use(same_digits(l1 * box.pixels + i, lane, l2 * box.pixels + i2, lane2, lanes));
  p.use(same_digits(l1, i, l2, i2, box.pixels));
  p.use(same_digits(plane - first_plane, line - first_line, plane2 - first_plane, line2 - first_line,
                    box.lines));
  p.claim("in one place the same lane",
          implies(op.to + i * lanes + lane == op2.to + i2 * lanes + lane2,
                  plane == plane2 && line == line2 && i == i2 && lane == lane2));
}
template <class Reading, class Schedule>
void claim_apart(Scene<Reading>& one, Scene<Reading>& two, const Schedule& schedule,
                 const SpreadDy<IntOf<Reading>>& op, const SpreadDy<IntOf<Reading>>& op2) {
  claim_lanes_apart(one, two, schedule, op, op2, staged_dy(one, schedule),
                    outputs_on(one, schedule).lines.first);
}
template <class Reading, class Schedule>
void claim_apart(Scene<Reading>& one, Scene<Reading>& two, const Schedule& schedule,
                 const WidenLanes<IntOf<Reading>>& op, const WidenLanes<IntOf<Reading>>& op2) {
  claim_lanes_apart(one, two, schedule, op, op2, staged_x(one, schedule), IntOf<Reading>(0));
}

}  // namespace wgradcheck::proofs::host
