#pragma once
#include "proofs/host/rows.hpp"

/// What is claimed of products of rows of x that are staged with zeros.
namespace wgradcheck::proofs::host {

/// What decides whether a box's zeros may be multiplied: all of its pixels of dy, of the part's channels.
template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const FiniteDy<IntOf<Reading>>& op) {
  auto& [p, s, part, cut, way] = scene;
  const auto o = outputs_on(scene, schedule);
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first && a.last == b.last; };
  p.claim("the box", same(op.outputs.planes, o.planes) && same(op.outputs.lines, o.lines) &&
                         same(op.outputs.pixels, o.pixels) && same(op.outputs.depth, o.depth));
  const auto inside = schedule.inside(scene);
  p.claim("where a row has zeros", iff(op.needed, impl::length(inside) < rows_of(scene, schedule).width));
  p.claim("the part's channels", same(op.part.outs, part.outs) && op.part.groups.first == part.groups.first);
  const auto plane = p.integer("plane"), oh = p.integer("oh"),
             pixel = index_below(p, "pixel", impl::length(o.pixels)),
             row = index_below(p, "row", impl::length(part.outs));
  p.assume("a plane of the box", impl::contains(o.planes, plane));
  p.assume("a line of the box", impl::contains(o.lines, oh));
  claim_plane(p, s, way.choices()[0], o, plane);
  const auto at = plane_at(o, plane);
  const IntOf<Reading> none = 0;
  claim_dy(p, s,
           {at.n, at.d, oh, o.pixels.first + pixel, none, none, none, part.groups.first,
            part.outs.first + row, none},
           spec::dy_offset(s, at.n, at.d, oh, o.pixels.first, part.groups.first, part.outs.first) +
               pixel * s.out_channels + row);
}

/// A product of the rows that were staged for its box: of a term of the sum, or of a staged zero where dy was
/// looked at.
template <class Reading, class Schedule>
  requires Schedule::kRows
void claim(Scene<Reading>& scene, const Schedule& schedule, const Product<IntOf<Reading>>& op) {
  auto& [p, s, part, cut, way] = scene;
  const auto o = outputs_on(scene, schedule);
  const auto rows = rows_of(scene, schedule);
  const auto l = given_lane(scene, op, "");
  const auto t = schedule.term(scene, l);
  claim_coordinates(p, s, t);
  claim_touches(p, s.depth, t.d, t.kd, "depth");
  claim_touches(p, s.height, t.oh, t.kh, "height");
  schedule.claim_sum(scene, t, schedule.sum(scene, op, l));
  p.claim("the packed channels", op.extents.rows == impl::length(part.outs));
  const auto at = [&l](const auto& staged) {
    return staged.at + l.plane * staged.plane + l.line * staged.line + l.pixel * staged.pixel;
  };
  claim_reads_dy(scene, o, l.plane, t, op.dy.area, at(op.dy));
  const auto window = schedule.lines(scene);
  const IntOf<Reading> zero = 0;
  const auto line = t.oh - l.line;
  p.use(picks_what_is_read(window, line, l.line, t.kh, zero));
  const auto lines = impl::picked(window.axis, window.outputs, window.taps);
  const auto y = staged_from(window, lines, line, l.line, t.kh, zero);
  p.claim("a line that was packed",
          0 <= y && y < lines.count && lines.first + y * lines.step == input_at(s.height, t.oh, t.kh));
  const auto pixel = (t.ow - o.pixels.first) * s.width.stride + t.kw;
  p.use(product(t.ow - o.pixels.first, s.width.stride));
  p.use(product(o.pixels.last - 1 - t.ow, s.width.stride));
  claim_row_place(p, rows, l.plane, y, pixel, t.ci, at(op.x) + l.column);
  const auto is_term = spec::touches(s.width, t.ow, t.kw);
  p.use(times(s.width.dilation, IntOf<Reading>(1), t.kw));
  p.claim("a staged zero where the tap meets padding", iff(is_term, is_input(s.width, rows, pixel)));
  const auto inside = schedule.inside(scene);
  if (Schedule::has_padding(way)) {
    p.claim("dy was looked at where there is a zero", implies(!is_term, impl::length(inside) < rows.width));
  } else {
    const auto kw = Schedule::tap(way)[2];
    p.use(times(s.width.dilation, IntOf<Reading>(1), kw));
    claim_touches(p, s.width, t.ow, kw, "width");
    p.claim("a term", is_term);
  }
}

}  // namespace wgradcheck::proofs::host
