#pragma once
#include "proofs/host/as_they_lie.hpp"
#include "proofs/host/lane_products.hpp"
#include "proofs/host/packed.hpp"
#include "proofs/host/packed_once.hpp"
#include "proofs/host/row_products.hpp"

/// What is claimed of each operation of a schedule of the host library.
namespace wgradcheck::proofs::host {

template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const InPlace<IntOf<Reading>>& o) {
  auto& p = scene.p;
  const auto l = given_lane(scene, o, "");
  const auto t = schedule.term(scene, l);
  const auto at = [&l](const auto& view) {
    return view.at + l.plane * view.plane + l.line * view.line + l.pixel * view.pixel;
  };
  claim_term(p, scene.s, t);
  claim_x(p, scene.s, t, at(o.x) + l.column);
  claim_dy(p, scene.s, t, at(o.dy) + l.row);
  schedule.claim_sum(scene, t, schedule.sum(scene, o, l));
}

/// A term is that of a lane of an operation.
template <class Reading, class Schedule, class Operation>
void claim_covers(Scene<Reading>& scene, const Schedule& schedule, const Term<IntOf<Reading>>& t,
                  const Operation& o) {
  const auto lane = schedule.lane(scene, t);
  scene.p.claim("a lane", is_lane(scene, lane, o));
  claim_same(scene.p, schedule.term(scene, lane), t);
}

/// The term of any lane of an operation, which is its lane.
template <class Reading, class Schedule, class Operation>
Term<IntOf<Reading>> any_term(Scene<Reading>& scene, const Schedule& schedule, const std::string& suffix,
                              const Operation& o) {
  auto& p = scene.p;
  const auto l = given_lane(scene, o, suffix);
  const auto t = schedule.term(scene, l);
  const auto back = schedule.lane(scene, t);
  p.claim("the term's pixel", back.plane == l.plane && back.line == l.line && back.pixel == l.pixel);
  p.claim("the term's sum", back.row == l.row && back.column == l.column);
  p.claim("the term's tap", back.down == l.down && back.right == l.right);
  return t;
}

/// Whether its sums begin with an operation.
template <class Operation>
auto begins(const Operation& o) {
  return o.first;
}

/// The sums of each tap whose depth meets an output begin with a product for the first box: each of them with
/// the same one. The other boxes come later.
template <class Reading, class Schedule>
void claim_begins(const Work<Reading>& work, const Schedule& schedule, const Place& place,
                  const auto& operation) {
  auto& [p, s, part, cut] = work;
  const auto kd = index_below(p, "kd", s.depth.kernel), kh = index_below(p, "kh", s.height.kernel),
             kw = index_below(p, "kw", s.width.kernel);
  const auto [g, co, ci] = schedule.given_channels(work);
  const IntOf<Reading> zero = 0;
  const auto depth = impl::touched(s.depth, kd);
  p.assume("the tap meets an output", depth.first < depth.last);
  const Term<IntOf<Reading>> t{zero, depth.first, zero, zero, kd, kh, kw, g, co, ci};
  typename Prove<Reading>::Way way{{place}, schedule.begin(work, t, place), true};
  way.before = [&](const Prove<Reading>& so_far) { schedule.lemmas_before(work, t, so_far); };
  auto begin = on_way(work, schedule, way);
  const auto& first = operation(begin);
  const auto l = schedule.lane(begin, t);
  p.claim("the first", begins(first));
  p.claim("one of its sums", is_sum(begin, l, first));
  schedule.claim_sum(begin, t, schedule.sum(begin, first, l));

  auto any = on_way(work, schedule, {{place}, {}, false, "'"});
  const auto& choices = any.way.choices();
  const auto use_tile = [&](std::size_t i, const IntOf<Reading>& size) {
    p.use(positive(choices[i], size));
    p.use(times(choices[i], zero, size));
  };
  use_tile(Schedule::kPlanes, cut.planes);
  use_tile(Schedule::kPlanes + 1, cut.lines);
  use_tile(Schedule::kPlanes + 2, cut.pixels);
  p.claim("no other box's", iff(begins(operation(any)), schedule.begins(any.way)));
}

/// Where nothing is added to a tap's sums they are cleared, and only there.
template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule&, const ClearIfNone<IntOf<Reading>>& o) {
  auto& [p, s, part, cut, way] = scene;
  const auto kd = way.choices()[0];
  const auto kh = index_below(p, "kh", s.height.kernel), kw = index_below(p, "kw", s.width.kernel);
  const auto planes = s.batch * impl::length(impl::touched(s.depth, kd));
  claim_in_order(p, s.depth, kd);
  p.use(times(o.outputs, IntOf<Reading>(0), s.batch));
  p.use(positive(o.outputs, s.batch));
  p.claim("of outputs that add nothing", iff(o.outputs <= 0, planes <= 0));
  p.use(digits(kh, s.height.kernel, kw, s.width.kernel));
  p.claim("each tap of this depth", impl::contains(impl::Range<IntOf<Reading>>{o.first, o.first + o.taps},
                                                   impl::tap_at(s, kd, kh, kw)));
  p.use(positive(s.height.kernel, s.width.kernel));
  p.use(product(kd, o.taps));
  p.use(monotone(kd + 1, s.depth.kernel, o.taps));
  p.claim("taps of the sums", 0 <= o.first && o.first + o.taps <= spec::taps_of(s));
}

}  // namespace wgradcheck::proofs::host
