#pragma once
#include "proofs/host/box_schedule.hpp"

/// What is claimed of the pixels that a schedule stages. Packed memory holds, of each pixel of a box, the
/// channels of each group of the part; which pixel is where is counted here once for those who write and
/// those who read. How a pixel's channels lie is the micro-kernels' affair.
namespace wgradcheck::proofs::host {

/// Any element of what an operation packs.
template <class Int>
struct Element {
  Int group, pixel, channel;
};
template <class Reading, class Operation>
Element<IntOf<Reading>> given_element(Reading& p, const Operation& o) {
  const auto group = index_below(p, "group", o.groups), pixel = index_below(p, "pixel", o.count),
             channel = index_below(p, "channel", o.channels);
  return {group, pixel, channel};
}

/// The first two choices behind those of a box: the plane and the line that are packed.
template <class Reading, class Schedule>
std::array<IntOf<Reading>, 2> packed_line(const Scene<Reading>& scene, const Schedule&) {
  const auto& choices = scene.way.choices();
  return {choices[Schedule::kPlanes + 3], choices[Schedule::kPlanes + 4]};
}

/// Each pixel of dy of the box, the channels of the part.
template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const PackDy<IntOf<Reading>>& op) {
  auto& [p, s, part, cut, way] = scene;
  const auto o = outputs_on(scene, schedule);
  const auto [plane, oh] = packed_line(scene, schedule);
  const auto e = given_element(p, op);
  claim_plane(p, s, way.choices()[0], o, plane);
  const auto at = plane_at(o, plane);
  const IntOf<Reading> none = 0;
  claim_dy(p, s,
           {at.n, at.d, oh, o.pixels.first + e.pixel, none, none, none, part.groups.first + e.group,
            part.outs.first + e.channel, none},
           op.from + e.pixel * s.out_channels + e.group * out_per_group(s) + e.channel);
  claim_place(p, {impl::length(o.planes), impl::length(o.lines), impl::length(o.pixels)},
              plane - o.planes.first, oh - o.lines.first, e.pixel, op.area, op.first + e.pixel);
  p.claim("all pixels of the line", op.count == impl::length(o.pixels));
  p.claim("the part's channels",
          op.groups == impl::length(part.groups) && op.channels == impl::length(part.outs));
}

/// The pixel of dy that is read of packed memory is that of a term, which was packed for its box.
template <class Reading>
void claim_reads_dy(const Scene<Reading>& scene, const impl::Outputs<IntOf<Reading>>& o,
                    const IntOf<Reading>& plane, const Term<IntOf<Reading>>& t, const IntOf<Reading>& area,
                    const IntOf<Reading>& place) {
  scene.p.claim("a plane of the box", impl::contains(o.planes, o.planes.first + plane));
  scene.p.claim("an output of the box", impl::contains(o.lines, t.oh) && impl::contains(o.pixels, t.ow));
  claim_place(scene.p, {impl::length(o.planes), impl::length(o.lines), impl::length(o.pixels)}, plane,
              t.oh - o.lines.first, t.ow - o.pixels.first, area, place);
}

/// A pixel of x that is picked, and those that are of each axis.
template <class Int>
struct PickedPixel {
  Int n;
  Input<Int> at;
  impl::Pick<Int> lines, pixels;
};
/// Pixel i of a line that is packed of a plane.
template <class Reading, class Schedule>
PickedPixel<IntOf<Reading>> claim_picked(Scene<Reading>& scene, const Schedule& schedule,
                                         const IntOf<Reading>& plane, const IntOf<Reading>& line,
                                         const IntOf<Reading>& i) {
  auto& [p, s, part, cut, way] = scene;
  const auto o = outputs_on(scene, schedule);
  const auto kd = way.choices()[0];
  claim_plane(p, s, kd, o, plane);
  const auto at = plane_at(o, plane);
  const auto height = schedule.lines(scene), width = schedule.pixels(scene);
  const auto lines = impl::picked(height.axis, height.outputs, height.taps),
             pixels = impl::picked(width.axis, width.outputs, width.taps);
  claim_touches(p, s.depth, at.d, kd, "depth");
  p.use(picks_inputs(height, line));
  p.use(picks_inputs(width, i));
  return {at.n,
          {input_at(s.depth, at.d, kd), lines.first + line * lines.step, pixels.first + i * pixels.step},
          lines,
          pixels};
}

/// Each pixel of x that is picked for the box, the channels of the part.
template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const PackX<IntOf<Reading>>& op) {
  auto& [p, s, part, cut, way] = scene;
  const auto o = outputs_on(scene, schedule);
  const auto [plane, line] = packed_line(scene, schedule);
  const auto e = given_element(p, op);
  const auto [n, at, lines, pixels] = claim_picked(scene, schedule, plane, line, e.pixel);
  claim_x_at(p, s, n, at, part.groups.first + e.group, part.ins.first + e.channel,
             op.from + e.pixel * op.step + e.group * in_per_group(s) + e.channel);
  claim_place(p, {impl::length(o.planes), lines.count, pixels.count}, plane - o.planes.first, line, e.pixel,
              op.area, op.first + e.pixel);
  p.claim("all pixels of the line", op.count == pixels.count);
  p.claim("the part's channels",
          op.groups == impl::length(part.groups) && op.channels == impl::length(part.ins));
}

}  // namespace wgradcheck::proofs::host
