#pragma once
#include "proofs/schedule/claims.hpp"

/// What is claimed of all products of a schedule: that each term of the block's sum is one of them.
/// `schedule.owner(work, term)` are the choices on the way to a term's product.
namespace wgradcheck::proofs {

/// Any term of the sum of a block.
template <class Reading, class Schedule>
impl::Term<IntOf<Reading>> given_term(const Work<Reading>& work, const Schedule& schedule) {
  auto& [p, c, b, channel_tile, line_tile] = work;
  const auto s = spec::shape_of(c);
  const auto n = index_below(p, "n", s.batch), oh = index_below(p, "oh", s.height.output),
             ow = index_below(p, "ow", s.width.output), kh = index_below(p, "kh", s.height.kernel),
             kw = index_below(p, "kw", s.width.kernel), g = index_below(p, "g", s.groups),
             co = index_below(p, "co", out_per_group(s)), ci = index_below(p, "ci", in_per_group(s));
  const impl::Term<IntOf<Reading>> t{n, oh, ow, kh, kw, g, co, ci};
  p.assume("an image of the block", impl::contains(b.images, n));
  p.assume("a row of the block", schedule.has_row(b, t));
  p.assume("a column of the block",
           impl::contains(b.cols, (kh * s.width.kernel + kw) * in_per_group(s) + ci));
  p.assume("the tap touches height", spec::touches(s.height, oh, kh));
  p.assume("the tap touches width", spec::touches(s.width, ow, kw));
  claim_touches(p, s.height, oh, kh, "height");
  claim_touches(p, s.width, ow, kw, "width");
  return t;
}

/// The owner of a term among the iterations of the operation at a place.
template <class Schedule, class Work, class Term>
auto owner_of(const Schedule& schedule, const Work& work, const Term& t, const Place& place) {
  if constexpr (requires { schedule.owner(work, t, place); })
    return schedule.owner(work, t, place);
  else
    return schedule.owner(work, t);
}

/// The lane of an operation is one of its lanes.
template <class Reading>
void claim_lane(Reading& p, const IntOf<Reading>& lane, const IntOf<Reading>& extent) {
  p.claim("a lane", 0 <= lane && lane < extent);
}

template <class Reading>
void claim_same(Reading& p, const impl::Term<IntOf<Reading>>& a, const impl::Term<IntOf<Reading>>& b) {
  p.claim("the same output", a.n == b.n && a.oh == b.oh && a.ow == b.ow);
  p.claim("the same tap", a.kh == b.kh && a.kw == b.kw);
  p.claim("the same channels", a.g == b.g && a.co == b.co && a.ci == b.ci);
}

/// A term is that of a lane of an operation.
template <class Reading>
void claim_covers(Scene<Reading>& scene, const auto&, const impl::Term<IntOf<Reading>>& t,
                  const Stage<IntOf<Reading>>& from, const Packed<IntOf<Reading>>& o) {
  auto& p = scene.p;
  const auto i = t.ow - from.first.ow, row = t.co - o.first.co, j = t.ci - from.first.ci;
  claim_lane(p, i, from.count);
  claim_lane(p, row, o.rows);
  claim_lane(p, j, from.channels);
  claim_same(p, t, packed_term(from, o, i, j, row));
}
template <class Reading>
void claim_covers(Scene<Reading>& scene, const auto&, const impl::Term<IntOf<Reading>>& t,
                  const Channels<IntOf<Reading>>& o) {
  auto& p = scene.p;
  const auto l = t.g - o.first.g, i = t.oh - o.first.oh, j = t.ow - o.first.ow;
  claim_lane(p, l, o.channels);
  claim_lane(p, i, o.rows);
  claim_lane(p, j, o.cols);
  claim_same(p, t, moved(o.first, {0, i, j, 0, 0, l, 0, 0}));
}
template <class Reading>
void claim_covers(Scene<Reading>& scene, const auto&, const impl::Term<IntOf<Reading>>& t,
                  const InPlace<IntOf<Reading>>& o) {
  auto& p = scene.p;
  const auto s = scene.shape();
  const auto line = [&s](const auto& at) { return at.n * s.height.output + at.oh; };
  const auto position = line(t) * s.width.output + t.ow;
  const auto i = position - (line(o.first) * s.width.output + o.first.ow), row = t.co - o.first.co,
             j = t.ci - o.first.ci;
  claim_lane(p, i, o.depth);
  claim_lane(p, row, o.rows);
  claim_lane(p, j, o.cols);
  claim_quotient(p, line(t), position, s.width.output);
  claim_quotient(p, t.n, spec::floor_div(position, s.width.output), s.height.output);
  claim_same(p, t, moved(term_at(p, s, o.first, i), {0, 0, 0, 0, 0, 0, row, j}));
}

/// The product of a term's owner is the term's.
template <class Reading, class Schedule, class Operations>
void claim_every(Reading& p, const Schedule& schedule, const std::vector<Place>& places,
                 Operations operations) {
  const auto work = given_work(p, schedule);
  const auto t = given_term(work, schedule);
  typename Prove<Reading>::Way way{places, owner_of(schedule, work, t, places.back()), true};
  way.before = [&](const Prove<Reading>& so_far) { schedule.lemmas_before(work, t, so_far); };
  if constexpr (requires(const Prove<Reading>& so_far) { schedule.further(work, t, so_far); })
    way.further = [&](const Prove<Reading>& so_far) { return schedule.further(work, t, so_far); };
  auto scene = on_way(work, schedule, way);
  schedule.lemmas_before(work, t, scene.way);
  operations(scene.way.met(), [&](const auto&... of) { claim_covers(scene, schedule, t, of...); });
}

}  // namespace wgradcheck::proofs
