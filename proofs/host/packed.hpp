#pragma once
#include "proofs/host/staging.hpp"

namespace wgradcheck::proofs::host {

/// A product of what was packed for its box: of each factor, the pixel that is read was packed from where the
/// term has it.
template <class Reading, class Schedule>
  requires(!Schedule::kRows)
void claim(Scene<Reading>& scene, const Schedule& schedule, const Product<IntOf<Reading>>& op) {
  auto& [p, s, part, cut, way] = scene;
  const auto o = outputs_on(scene, schedule);
  const auto l = given_lane(scene, op, "");
  const auto t = schedule.term(scene, l);
  claim_term(p, s, t);
  schedule.claim_sum(scene, t, schedule.sum(scene, op, l));
  p.claim("the packed channels",
          op.extents.rows == impl::length(part.outs) && op.extents.columns == impl::length(part.ins));
  const auto at = [&l](const auto& staged) {
    return staged.at + l.plane * staged.plane + l.line * staged.line + l.pixel * staged.pixel;
  };
  claim_reads_dy(scene, o, l.plane, t, op.dy.area, at(op.dy));
  const auto height = schedule.lines(scene), width = schedule.pixels(scene);
  const IntOf<Reading> zero = 0;
  const auto line = t.oh - l.line, pixel = t.ow - l.pixel;
  p.use(picks_what_is_read(height, line, l.line, t.kh, zero));
  p.use(picks_what_is_read(width, pixel, l.pixel, t.kw, zero));
  const auto lines = impl::picked(height.axis, height.outputs, height.taps),
             pixels = impl::picked(width.axis, width.outputs, width.taps);
  const auto y = staged_from(height, lines, line, l.line, t.kh, zero),
             x = staged_from(width, pixels, pixel, l.pixel, t.kw, zero);
  p.claim("a line that was packed",
          0 <= y && y < lines.count && lines.first + y * lines.step == input_at(s.height, t.oh, t.kh));
  p.claim("a pixel that was packed",
          0 <= x && x < pixels.count && pixels.first + x * pixels.step == input_at(s.width, t.ow, t.kw));
  claim_place(p, {impl::length(o.planes), lines.count, pixels.count}, l.plane, y, x, op.x.area, at(op.x));
}

}  // namespace wgradcheck::proofs::host
