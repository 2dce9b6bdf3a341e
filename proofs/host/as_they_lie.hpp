#pragma once
#include "proofs/host/staging.hpp"

/// What is claimed of pixels that are read where they are: they follow on one another there as they would
/// when staged. Of any two lines of a box, the second lies as far behind the first in the tensor as in packed
/// memory.
namespace wgradcheck::proofs::host {

/// A line of a plane of a tensor, `plane` being one that the box counts.
template <class Int>
struct TensorLine {
  Int plane, line, n, d;
};

/// The extents of a tensor, and how many lines and pixels of each plane a box stages.
template <class Int>
struct StagedOf {
  Int depth, height, width, channels, lines, pixels;
};

/// A tile of `size` that is no less than the extent holds all of it.
template <class Reading>
void claim_whole(Reading& p, const impl::Range<IntOf<Reading>>& tile, const IntOf<Reading>& choice,
                 const IntOf<Reading>& size, const IntOf<Reading>& extent, const auto& when) {
  const IntOf<Reading> zero = 0, one = 1;
  p.use(monotone(one, choice, size));
  p.use(times(choice, zero, size));
  p.claim("all of the axis", implies(when, tile.first == 0 && tile.last == extent));
}

/// Equal numbers have the same quotient.
template <class Reading>
void use_same_quotient(Reading& p, const IntOf<Reading>& a, const IntOf<Reading>& a2,
                       const IntOf<Reading>& b) {
  const auto q = spec::floor_div(a, b);
  for (const auto& of : {a, a2})
    for (const auto& at : {q, q + 1}) p.use(quotient(at, of, b));
  p.use(times(q, spec::floor_div(a2, b), b));
}

/// A window of all outputs and the first `taps` taps of an axis picks what impl::stages_all looks at.
template <class Reading>
impl::Pick<IntOf<Reading>> claim_picks_all(Reading& p, const Window<IntOf<Reading>>& w,
                                           const IntOf<Reading>& taps) {
  const auto& a = w.axis;
  const IntOf<Reading> zero = 0;
  const Window<IntOf<Reading>> all{a, {zero, a.output}, {zero, taps}};
  const auto before = a.pad_before - w.taps.first * a.dilation, before_all = a.pad_before - zero * a.dilation;
  p.use(times(w.taps.first, zero, a.dilation));
  p.use(times(w.taps.last - 1, taps - 1, a.dilation));
  p.use(times(w.outputs.first, zero, a.stride));
  p.use(times(w.outputs.last - 1, a.output - 1, a.stride));
  use_same_quotient(p, 0 - before, 0 - before_all, a.stride);
  use_same_quotient(p, 0 - (a.input + before), 0 - (a.input + before_all), a.stride);
  const auto is_all =
      w.outputs.first == 0 && w.outputs.last == a.output && w.taps.first == 0 && w.taps.last == taps;
  p.claim("the same outputs meet the first tap",
          implies(is_all, impl::touched(a, w.taps.first).first == impl::touched(a, zero).first &&
                              impl::touched(a, w.taps.first).last == impl::touched(a, zero).last));
  const auto pick = impl::picked(a, w.outputs, w.taps), same = impl::picked(a, all.outputs, all.taps);
  p.claim("the same inputs", implies(is_all, pick.count == same.count && pick.step == same.step));
  return pick;
}

/// Where depth has one output, a plane is an image.
template <class Reading>
void claim_image(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const TensorLine<IntOf<Reading>>& at,
                 const IntOf<Reading>& depth) {
  const IntOf<Reading> one = 1;
  p.use(times(depth, one, at.plane));
  p.use(times(depth, one, at.plane + 1));
  p.use(quotient(at.plane, at.plane, depth));
  p.use(quotient(at.plane + 1, at.plane, depth));
  p.claim("a plane is an image", implies(s.depth.output == 1, at.n == at.plane));
}

/// Requires that the box has one plane, or that planes are images that are staged whole.
template <class Reading, class Operation>
void claim_as_far(Reading& p, const StagedOf<IntOf<Reading>>& t, const TensorLine<IntOf<Reading>>& one,
                  const TensorLine<IntOf<Reading>>& two, const Operation& op, const Operation& op2) {
  const IntOf<Reading> zero = 0, unit = 1;
  const auto planes = two.plane - one.plane, images = two.n - one.n, down = two.line - one.line;
  p.use(times(planes, zero, t.lines));
  p.use(times(images, zero, t.height));
  p.use(times(t.lines, t.height, planes));
  p.use(times(images, planes, t.height));
  const auto staged = planes * t.lines + down, lines = images * t.height + down;
  p.claim("as many lines in both", staged == lines);
  p.use(times(images, zero, t.depth));
  p.use(times(t.depth, unit, images));
  const auto deep = images * t.depth + (two.d - one.d);
  p.claim("as many planes as images", deep == images);
  const auto line = t.width * t.channels;
  p.use(times(deep, images, t.height * line));
  p.use(times(staged, lines, line));
  p.claim("whole lines", t.pixels == t.width);
  p.use(times(t.pixels, t.width, staged * t.channels));
  p.claim("as far in the tensor as in packed memory",
          op2.from - op.from == (op2.first - op.first) * t.channels);
}

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
