#pragma once
#include "proofs/host/lane_owner.hpp"

namespace wgradcheck::proofs::host {

/// impl::lanes, for groups of few channels. A part is of lanes: input channels counted over all groups. A row
/// of its sums is an output channel of each lane's group.
struct Lanes : LaneOwner<Lanes> {
  static constexpr std::size_t kBox = 0, kPlanes = 1;
  static constexpr bool kLanes = true;

  template <class Env, class Int>
  void run(Env& env, const spec::BasicShape<Int>& s, const impl::Part<Int>& part,
           const impl::Cut<Int>& cut) const {
    impl::lanes(env, s, part.ins, cut);
  }
  template <class Reading>
  auto takes(const Work<Reading>& work) const {
    return work.part.outs.first == 0 && work.part.outs.last == out_per_group(work.s) &&
           (work.s.depth.output == 1 || work.cut.planes == 1);
  }
  template <class Int>
  static Int ins_of(const spec::BasicShape<Int>& s) {
    return s.in_channels;
  }
  template <class Reading>
  static OfGroup<IntOf<Reading>> given_channels(const Work<Reading>& work) {
    auto& [p, s, part, cut] = work;
    const auto g = index_below(p, "g", s.groups), co = index_below(p, "co", out_per_group(s)),
               ci = index_below(p, "ci", in_per_group(s));
    p.assume("a lane of the part", impl::contains(part.ins, g * in_per_group(s) + ci));
    return {g, co, ci};
  }
  template <class Reading>
  static void claim_sum(const Scene<Reading>& scene, const Term<IntOf<Reading>>& t,
                        const Sum<IntOf<Reading>>& sum) {
    auto& [p, s, part, cut, way] = scene;
    const auto lane = t.g * in_per_group(s) + t.ci;
    p.claim("a row of the sums", sum.row == t.co && 0 <= t.co && t.co < out_per_group(s));
    p.claim("a column of the sums", sum.column == lane - part.ins.first && impl::contains(part.ins, lane));
    p.claim("the term's tap", sum.tap == impl::tap_at(s, t.kd, t.kh, t.kw));
  }

  /// What is staged of an axis.
  template <class Reading>
  static Window<IntOf<Reading>> lines(const Scene<Reading>& scene) {
    return {scene.s.height, scene.way.ranges()[1], {0, scene.s.height.kernel}};
  }
  template <class Reading>
  static Window<IntOf<Reading>> pixels(const Scene<Reading>& scene) {
    return {scene.s.width, scene.way.ranges()[2], {0, scene.s.width.kernel}};
  }
  /// The group of a lane of the part, and the input channel there.
  template <class Reading>
  static OfGroup<IntOf<Reading>> channel_of(Scene<Reading>& scene, const IntOf<Reading>& lane) {
    auto& [p, s, part, cut, way] = scene;
    const IntOf<Reading> ci = in_per_group(s), zero = 0, channel = part.ins.first + lane;
    p.use(product(zero - ci, s.groups));
    p.claim("a group has a channel", 1 <= ci);
    p.use(quotient(zero, channel, ci));
    p.use(quotient(s.groups, channel, ci));
    const auto g = spec::floor_div(channel, ci);
    p.claim("a lane's group", 0 <= g && g < s.groups);
    return {g, zero, channel - g * ci};
  }
  template <class Reading>
  Term<IntOf<Reading>> term(Scene<Reading>& scene, const Lane<IntOf<Reading>>& l) const {
    const auto [n, d] = image_of(scene, l);
    const auto [g, none, ci] = channel_of(scene, l.column);
    const auto h = down(scene), w = right(scene);
    return {n,
            d,
            h.outputs.first + l.line,
            w.outputs.first + l.pixel,
            scene.way.choices()[0],
            h.taps.first + l.down,
            w.taps.first + l.right,
            g,
            l.row,
            ci};
  }
  template <class Reading>
  Lane<IntOf<Reading>> lane(Scene<Reading>& scene, const Term<IntOf<Reading>>& t) const {
    const auto ci = in_per_group(scene.s), channel = t.g * ci + t.ci;
    claim_quotient(scene.p, t.g, channel, ci);
    const auto h = down(scene), w = right(scene);
    use_meets_of(scene, t);
    return {plane_of(scene.s, t) - outputs_on(scene, *this).planes.first,
            t.oh - h.outputs.first,
            t.ow - w.outputs.first,
            t.co,
            channel - scene.part.ins.first,
            t.kh - h.taps.first,
            t.kw - w.taps.first};
  }
  template <class Reading>
  Sum<IntOf<Reading>> sum(Scene<Reading>&, const LaneProducts<IntOf<Reading>>& op,
                          const Lane<IntOf<Reading>>& l) const {
    return {0, op.sums.tap + l.down * op.sums.taps_of_row + l.right, l.row, l.column};
  }

  template <class Reading>
  static void use_meets_of(const Scene<Reading>& scene, const Term<IntOf<Reading>>& t) {
    const auto& ranges = scene.way.ranges();
    const auto& choices = scene.way.choices();
    use_meets(scene.p, scene.s.height, ranges[3], t.oh, t.kh, choices[7]);
    use_meets(scene.p, scene.s.width, ranges[4], t.ow, t.kw, choices[9]);
  }
};

}  // namespace wgradcheck::proofs::host
