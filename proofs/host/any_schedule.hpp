#pragma once
#include "proofs/host/scene.hpp"

namespace wgradcheck::proofs::host {

/// A sum of a part: groups, rows and columns counted within the part, taps in the order of dW.
template <class Int>
struct Sum {
  Int group, tap, row, column;
};
/// A group, and an output and an input channel of it.
template <class Int>
struct OfGroup {
  Int g, co, ci;
};

/// What is said of a schedule besides its text, and the steps of its proofs. A schedule derives from it, has
/// run(env, shape, part, cut), and says anew what is otherwise with it. owner(work, term), or owner(work,
/// term, place) where operations have different ones, are the choices on the way to a term's product, in the
/// order of Prove::choices; lane(scene, term) is its lane there, and term(scene, lane) the term of a lane of
/// the operation on the way. tap(way) is kd, kh and kw of the operation on a way, kBox the place of its
/// planes among the way's ranges. kStages says that it packs what it multiplies, kRows that x is packed in
/// rows.
struct AnySchedule {
  static constexpr bool kOfHost = true, kStages = false, kRows = false, kLanes = false;
  /// How many input channels a part's are cut of.
  template <class Int>
  static Int ins_of(const spec::BasicShape<Int>& s) {
    return in_per_group(s);
  }
  /// Whether it takes such work, any being valid.
  template <class Reading>
  auto takes(const Work<Reading>& work) const {
    return 1 <= work.s.groups;
  }
  /// The channels of any sum of the part.
  template <class Reading>
  static OfGroup<IntOf<Reading>> given_channels(const Work<Reading>& work) {
    const auto& [groups, outs, ins] = work.part;
    const auto g = work.p.integer("g"), co = work.p.integer("co"), ci = work.p.integer("ci");
    work.p.assume("a group of the part", impl::contains(groups, g));
    work.p.assume("an output channel of the part", impl::contains(outs, co));
    work.p.assume("an input channel of the part", impl::contains(ins, ci));
    return {g, co, ci};
  }
  /// The sum is that of a term's dW.
  template <class Reading>
  static void claim_sum(const Scene<Reading>& scene, const auto& t, const Sum<IntOf<Reading>>& sum) {
    auto& [p, s, part, cut, way] = scene;
    p.claim("the term's group", sum.group == t.g - part.groups.first && impl::contains(part.groups, t.g));
    p.claim("a row of the sums", sum.row == t.co - part.outs.first && impl::contains(part.outs, t.co));
    p.claim("a column of the sums", sum.column == t.ci - part.ins.first && impl::contains(part.ins, t.ci));
    p.claim("the term's tap", sum.tap == impl::tap_at(s, t.kd, t.kh, t.kw));
  }
};

template <class Schedule>
concept OfHost = Schedule::kOfHost;

/// Any shape, any part of its dW and any cut, that a schedule takes.
template <class Reading, OfHost Schedule>
Work<Reading> given_work(Reading& p, const Schedule& schedule) {
  const auto s = given_shape(p);
  const auto groups = given_range(p, "groups", 1, s.groups),
             outs = given_range(p, "outs", 1, out_per_group(s)),
             ins = given_range(p, "ins", 1, schedule.ins_of(s));
  const auto tap_lines = at_least(p, 1, "tap_lines"), tap_pixels = at_least(p, 1, "tap_pixels"),
             planes = at_least(p, 1, "planes"), lines = at_least(p, 1, "lines"),
             pixels = at_least(p, 1, "pixels");
  const Work<Reading> work{p, s, {groups, outs, ins}, {tap_lines, tap_pixels, planes, lines, pixels}};
  p.assume("the schedule takes it", schedule.takes(work));
  return work;
}

/// The operations of a schedule. Throws NotASchedule.
template <OfHost Schedule>
std::vector<Found> found_in(const Schedule& schedule) {
  Statement<Sym> unknown;
  const auto work = given_work(unknown, schedule);
  return explore([&](Explore& env) { schedule.run(env, work.s, work.part, work.cut); });
}

}  // namespace wgradcheck::proofs::host
