#pragma once
#include "proofs/host/staging.hpp"

/// What is claimed of all that is packed for a box: each line of it once, each pixel in a place of its own.
namespace wgradcheck::proofs::host {

/// Each line of each plane of a box is packed: `lines` are those that there are to pack.
template <class Reading, class Schedule>
void claim_packs_all(const Scene<Reading>& one, const Schedule& schedule, const Place& place,
                     const impl::Range<IntOf<Reading>>& lines) {
  auto& p = one.p;
  const auto plane = p.integer("packed plane"), line = p.integer("packed line");
  p.assume("a plane of the box", impl::contains(outputs_on(one, schedule).planes, plane));
  p.assume("a line to pack", impl::contains(lines, line));
  const auto first = one.way.choices().begin();
  std::vector<IntOf<Reading>> choices(first, first + Schedule::kPlanes + 3);
  choices.push_back(plane);
  choices.push_back(line);
  on_way(one.work(), schedule, {{place}, choices, true, "'"});
}

/// Two pixels that are packed in one place, while a box is worked on, are the same. `lines` and `pixels` are
/// how many there are of each.
template <class Reading, class Schedule, class Operation>
void claim_apart(Scene<Reading>& one, Scene<Reading>& two, const Schedule& schedule, const Operation& op,
                 const Operation& op2, const IntOf<Reading>& lines, const IntOf<Reading>& first_line,
                 const IntOf<Reading>& pixels) {
  auto& p = one.p;
  const auto i = index_below(p, "pixel", op.count), i2 = index_below(p, "pixel'", op2.count);
  const auto first_plane = outputs_on(one, schedule).planes.first;
  const auto [plane, line] = packed_line(one, schedule);
  const auto [plane2, line2] = packed_line(two, schedule);
  const auto p1 = plane - first_plane, p2 = plane2 - first_plane, l1 = line - first_line,
             l2 = line2 - first_line;
  p.use(same_digits(p1 * lines + l1, i, p2 * lines + l2, i2, pixels));
  p.use(same_digits(p1, l1, p2, l2, lines));
  p.claim("in one place the same pixel",
          implies(op.first + i == op2.first + i2, plane == plane2 && line == line2 && i == i2));
}
template <class Reading, class Schedule>
void claim_apart(Scene<Reading>& one, Scene<Reading>& two, const Schedule& schedule,
                 const PackDy<IntOf<Reading>>& op, const PackDy<IntOf<Reading>>& op2) {
  const auto o = outputs_on(one, schedule);
  claim_apart(one, two, schedule, op, op2, impl::length(o.lines), o.lines.first, impl::length(o.pixels));
}
template <class Reading, class Schedule>
void claim_apart(Scene<Reading>& one, Scene<Reading>& two, const Schedule& schedule,
                 const PackX<IntOf<Reading>>& op, const PackX<IntOf<Reading>>& op2) {
  const auto height = schedule.lines(one), width = schedule.pixels(one);
  claim_apart(one, two, schedule, op, op2, impl::picked(height.axis, height.outputs, height.taps).count,
              IntOf<Reading>(0), impl::picked(width.axis, width.outputs, width.taps).count);
}

}  // namespace wgradcheck::proofs::host
