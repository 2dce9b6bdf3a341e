#pragma once
#include "proofs/digits.hpp"
#include "proofs/host/terms.hpp"

/// What is claimed of boxes of outputs and of their planes.
namespace wgradcheck::proofs::host {

/// Pixel (plane, line, pixel) of an operation's box, row and column of its sums, and the tap counted from the
/// operation's first: `down` in height, `right` in width.
template <class Int>
struct Lane {
  Int plane, line, pixel, row, column, down, right;
};

/// The lane's sum is one of those of an operation.
template <class Reading, class Operation>
auto is_sum(const Scene<Reading>&, const Lane<IntOf<Reading>>& l, const Operation& o) {
  return 0 <= l.row && l.row < o.extents.rows && 0 <= l.column && l.column < o.extents.columns;
}

/// The lane is one of those of an operation.
template <class Reading, class Operation>
auto is_lane(const Scene<Reading>& scene, const Lane<IntOf<Reading>>& l, const Operation& o) {
  return 0 <= l.plane && l.plane < o.box.planes && 0 <= l.line && l.line < o.box.lines && 0 <= l.pixel &&
         l.pixel < o.box.pixels && is_sum(scene, l, o);
}

/// Any pixel of an operation's box, with a sum and a tap; the suffix is of the names of its indices.
template <class Reading, class Operation>
Lane<IntOf<Reading>> given_pixel(Reading& p, const Operation& o, std::string_view suffix,
                                 const Lane<IntOf<Reading>>& of) {
  const auto plane = index_below(p, {"plane", suffix}, o.box.planes),
             line = index_below(p, {"line", suffix}, o.box.lines),
             pixel = index_below(p, {"pixel", suffix}, o.box.pixels);
  return {plane, line, pixel, of.row, of.column, of.down, of.right};
}

/// Any lane of an operation.
template <class Reading, class Operation>
Lane<IntOf<Reading>> given_lane(Scene<Reading>& scene, const Operation& o, std::string_view suffix) {
  auto& p = scene.p;
  const auto row = index_below(p, {"row", suffix}, o.extents.rows),
             column = index_below(p, {"column", suffix}, o.extents.columns);
  const IntOf<Reading> zero = 0;
  return given_pixel(p, o, suffix, {zero, zero, zero, row, column, zero, zero});
}

/// The outputs of the box on a way, the first choice of which is kd.
template <class Reading, class Schedule>
impl::Outputs<IntOf<Reading>> outputs_on(const Scene<Reading>& scene, const Schedule&) {
  const auto& ranges = scene.way.ranges();
  constexpr auto at = Schedule::kBox;
  return {impl::touched(scene.s.depth, scene.way.choices()[0]), ranges[at], ranges[at + 1], ranges[at + 2]};
}

/// The number of a term's plane among those that its tap of depth meets.
template <class Int>
Int plane_of(const spec::BasicShape<Int>& s, const Term<Int>& t) {
  const impl::Range<Int> depth = impl::touched(s.depth, t.kd);
  return t.n * impl::length(depth) + t.d - depth.first;
}

/// The range of a tap is one: 0 <= first <= last <= output.
template <class Reading>
void claim_in_order(Reading& p, const spec::Axis<IntOf<Reading>>& axis, const IntOf<Reading>& tap) {
  const auto before = axis.pad_before - tap * axis.dilation;
  const auto range = impl::touched(axis, tap);
  p.use(quotient(spec::floor_div(0 - (axis.input + before), axis.stride), 0 - before, axis.stride));
  p.claim("a range of outputs", 0 <= range.first && range.first <= range.last && range.last <= axis.output);
}

/// A plane of the box is an output plane, which kd meets.
template <class Reading>
void claim_plane(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const IntOf<Reading>& kd,
                 const impl::Outputs<IntOf<Reading>>& o, const IntOf<Reading>& plane) {
  const IntOf<Reading> zero = 0;
  const auto depth = impl::length(o.depth);
  claim_in_order(p, s.depth, kd);
  p.use(times(depth, zero, s.batch));
  p.claim("an output of depth", 1 <= depth);
  p.use(quotient(zero, plane, depth));
  p.use(quotient(s.batch, plane, depth));
  const auto at = plane_at(o, plane);
  p.claim("an image", 0 <= at.n && at.n < s.batch);
  p.claim("an output that kd meets", impl::contains(o.depth, at.d));
}

/// The steps that show a term's plane to be one of the planes that kd meets.
template <class Reading>
void claim_plane_of(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const Term<IntOf<Reading>>& t) {
  const auto depth = impl::touched(s.depth, t.kd);
  claim_in_order(p, s.depth, t.kd);
  p.claim("an output that kd meets", impl::contains(depth, t.d));
  p.use(digits(t.n, s.batch, t.d - depth.first, impl::length(depth)));
}

/// Number of a staged pixel, by its plane, line and place in the line.
template <class Int>
Int pixel_at(const Int& lines, const Int& pixels, const Int& plane, const Int& line, const Int& pixel) {
  return (plane * lines + line) * pixels + pixel;
}

/// The place is that of pixel (plane, line, pixel) of a box of so many, and lies inside.
template <class Reading>
void claim_place(Reading& p, const Box<IntOf<Reading>>& box, const IntOf<Reading>& plane,
                 const IntOf<Reading>& line, const IntOf<Reading>& pixel, const IntOf<Reading>& area,
                 const IntOf<Reading>& place) {
  p.claim("pixels of the box", area == box.planes * box.lines * box.pixels);
  p.claim("the pixel's place", place == pixel_at(box.lines, box.pixels, plane, line, pixel));
  use_digits(p, {{plane, box.planes}, {line, box.lines}, {pixel, box.pixels}});
  p.claim("inside the packed memory", 0 <= place && place < area);
}

}  // namespace wgradcheck::proofs::host
