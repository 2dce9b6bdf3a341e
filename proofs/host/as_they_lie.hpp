#pragma once
#include "proofs/host/staging.hpp"
#include "proofs/host/tensor_lines.hpp"
#include "proofs/host/whole_axes.hpp"

/// What is claimed of pixels that are read where they are: they follow on one another there as they would
/// when staged. Of any two lines of a box, the second lies as far behind the first in the tensor as in packed
/// memory.
namespace wgradcheck::proofs::host {

/// What both tensors have in common: the box and its planes.
template <class Reading, class Schedule>
impl::Outputs<IntOf<Reading>> claim_whole_lines(Scene<Reading>& one, Scene<Reading>& two,
                                                const Schedule& schedule) {
  auto& [p, s, part, cut, way] = one;
  p.assume("pixels lie as staged", schedule.lies(s, cut));
  const auto o = outputs_on(one, schedule);
  const auto& choices = way.choices();
  const IntOf<Reading> unit = 1;
  p.use(times(cut.planes, unit, choices[Schedule::kPlanes]));
  claim_whole(p, o.lines, choices[Schedule::kPlanes + 1], cut.lines, s.height.output,
              s.height.output <= cut.lines);
  claim_whole(p, o.pixels, choices[Schedule::kPlanes + 2], cut.pixels, s.width.output,
              s.width.output <= cut.pixels);
  const auto plane = packed_line(one, schedule)[0], plane2 = packed_line(two, schedule)[0];
  for (const auto& at : {plane, plane2}) claim_plane(p, s, choices[0], o, at);
  use_same_quotient(p, plane, plane2, impl::length(o.depth));
  p.claim("of one plane one image",
          implies(plane == plane2, plane_at(o, plane).n == plane_at(o, plane2).n &&
                                       plane_at(o, plane).d == plane_at(o, plane2).d));
  p.claim("one plane, or planes of one output",
          plane == plane2 ||
              (s.depth.input == 1 && s.depth.output == 1 && impl::length(o.lines) == s.height.output));
  return o;
}

template <class Reading, class Schedule>
TensorLine<IntOf<Reading>> line_of(Scene<Reading>& scene, const Schedule& schedule,
                                   const impl::Outputs<IntOf<Reading>>& o) {
  const auto [plane, line] = packed_line(scene, schedule);
  const auto at = plane_at(o, plane);
  const TensorLine<IntOf<Reading>> found{plane, line, at.n, at.d};
  claim_image(scene.p, scene.s, found, impl::length(o.depth));
  return found;
}

template <class Reading, class Schedule>
void claim_lies(Scene<Reading>& one, Scene<Reading>& two, const Schedule& schedule,
                const PackDy<IntOf<Reading>>& op, const PackDy<IntOf<Reading>>& op2) {
  const auto o = claim_whole_lines(one, two, schedule);
  const auto& s = one.s;
  const auto first = line_of(one, schedule, o), second = line_of(two, schedule, o);
  claim_as_far(one.p,
               {s.depth.output, s.height.output, s.width.output, s.out_channels, impl::length(o.lines),
                impl::length(o.pixels)},
               first, second, op, op2);
}

template <class Reading, class Schedule>
void claim_lies(Scene<Reading>& one, Scene<Reading>& two, const Schedule& schedule,
                const PackX<IntOf<Reading>>& op, const PackX<IntOf<Reading>>& op2) {
  const auto o = claim_whole_lines(one, two, schedule);
  auto& [p, s, part, cut, way] = one;
  const auto height = schedule.lines(one), width = schedule.pixels(one);
  const auto& choices = way.choices();
  claim_whole(p, height.taps, choices[1], cut.tap_lines, s.height.kernel, cut.tap_lines == s.height.kernel);
  claim_whole(p, width.taps, choices[2], cut.tap_pixels, s.width.kernel, cut.tap_pixels == s.width.kernel);
  const auto lines = claim_picks_all(p, height, cut.tap_lines),
             pixels = claim_picks_all(p, width, cut.tap_pixels);
  p.claim("each input of a line", pixels.step == 1 && pixels.count == s.width.input);
  p.claim("lines that follow on one another", lines.step == 1);
  const auto first = line_of(one, schedule, o), second = line_of(two, schedule, o);
  p.claim("one output of depth", first.d == second.d);
  p.use(times(first.d, second.d, s.depth.stride));
  p.claim("one plane, or whole ones", first.plane == second.plane || lines.count == s.height.input);
  const IntOf<Reading> unit = 1;
  for (const auto& l : {first, second})
    p.use(times(lines.step, unit, l.line * (s.width.input * s.in_channels)));
  p.use(times(pixels.step, unit, s.in_channels));
  const auto read = [&](const TensorLine<IntOf<Reading>>& l) {
    return TensorLine<IntOf<Reading>>{l.plane, l.line, l.n, input_at(s.depth, l.d, choices[0])};
  };
  claim_as_far(p, {s.depth.input, s.height.input, s.width.input, s.in_channels, lines.count, pixels.count},
               read(first), read(second), op, op2);
  p.claim("a pixel behind the other", op.step == s.in_channels);
}

}  // namespace wgradcheck::proofs::host
