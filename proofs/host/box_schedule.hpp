#pragma once
#include "proofs/host/boxes.hpp"
#include "proofs/host/picked.hpp"

namespace wgradcheck::proofs::host {

/// What is true of every schedule that goes through boxes of outputs. Self has kBox, the place of its planes
/// among the ranges of a way, and kPlanes, that of their tile among its choices; tap(way) is the operation's.
template <class Self>
struct BoxSchedule : AnySchedule {
  /// The choices of a term's box.
  template <class Reading>
  static auto owner_of_box(const Work<Reading>& work, const Term<IntOf<Reading>>& t) {
    return std::array{spec::floor_div(plane_of(work.s, t), work.cut.planes),
                      spec::floor_div(t.oh, work.cut.lines), spec::floor_div(t.ow, work.cut.pixels)};
  }
  template <class Reading>
  void lemmas_owner(Scene<Reading>& scene, const Term<IntOf<Reading>>& t) const {
    const auto& choices = scene.way.choices();
    for (const IntOf<Reading> next : {0, 1}) {
      scene.p.use(quotient(choices[Self::kPlanes] + next, plane_of(scene.s, t), scene.cut.planes));
      scene.p.use(quotient(choices[Self::kPlanes + 1] + next, t.oh, scene.cut.lines));
      scene.p.use(quotient(choices[Self::kPlanes + 2] + next, t.ow, scene.cut.pixels));
    }
  }
  template <class Reading>
  void lemmas_before(const Work<Reading>& work, const Term<IntOf<Reading>>& t,
                     const Prove<Reading>& way) const {
    auto& [p, s, part, cut] = work;
    const IntOf<Reading> zero = 0;
    const auto made = way.choices().size() - Self::kPlanes;
    if (made == 1) {
      claim_plane_of(p, s, t);
      p.use(quotient(zero, plane_of(s, t), cut.planes));
    }
    if (made == 2) p.use(quotient(zero, t.oh, cut.lines));
    if (made == 3) {
      p.use(quotient(zero, t.ow, cut.pixels));
      claim_quotient(p, t.n, plane_of(s, t), impl::length(impl::touched(s.depth, t.kd)));
    }
  }

  /// The term of a lane whose plane is one of the box's: of the group, the column of its sums being an input
  /// channel.
  template <class Reading>
  static Term<IntOf<Reading>> term_of_box(Scene<Reading>& scene, const Lane<IntOf<Reading>>& l,
                                          const IntOf<Reading>& group) {
    auto& [p, s, part, cut, way] = scene;
    const auto o = outputs_on(scene, Self{});
    const auto [kd, kh, kw] = Self::tap(way);
    const auto plane = o.planes.first + l.plane;
    claim_plane(p, s, kd, o, plane);
    const auto at = plane_at(o, plane);
    return {at.n,
            at.d,
            impl::meet(impl::touched(s.height, kh), o.lines).first + l.line,
            impl::meet(impl::touched(s.width, kw), o.pixels).first + l.pixel,
            kd,
            kh,
            kw,
            group,
            part.outs.first + l.row,
            part.ins.first + l.column};
  }
  /// The image and the output of depth of the plane of a lane, in an operation for which a plane further is
  /// an image further.
  template <class Reading>
  static impl::Plane3<IntOf<Reading>> image_of(Scene<Reading>& scene, const Lane<IntOf<Reading>>& l) {
    auto& p = scene.p;
    const auto o = outputs_on(scene, Self{});
    const auto depth = impl::length(o.depth), plane = o.planes.first + l.plane;
    for (const auto& at : {plane, o.planes.first}) claim_plane(p, scene.s, scene.way.choices()[0], o, at);
    p.use(times(l.plane, IntOf<Reading>(0), depth));
    p.use(times(depth, IntOf<Reading>(1), l.plane));
    p.claim("a plane further is an image further", l.plane * depth == l.plane);
    const auto first = plane_at(o, o.planes.first);
    claim_quotient(p, first.n + l.plane, plane, depth);
    return {first.n + l.plane, first.d};
  }
  /// The lane of a term in the operation on the way.
  template <class Reading>
  Lane<IntOf<Reading>> lane(Scene<Reading>& scene, const Term<IntOf<Reading>>& t) const {
    const auto& s = scene.s;
    const auto o = outputs_on(scene, Self{});
    return {plane_of(s, t) - o.planes.first,
            t.oh - impl::meet(impl::touched(s.height, t.kh), o.lines).first,
            t.ow - impl::meet(impl::touched(s.width, t.kw), o.pixels).first,
            t.co - scene.part.outs.first,
            t.ci - scene.part.ins.first,
            0,
            0};
  }
  /// The choices on the way to the first product of a sum, the term being of the first box's first output.
  template <class Reading>
  auto begin(const Work<Reading>& work, const Term<IntOf<Reading>>& t, const Place& place) const {
    return owner_of(static_cast<const Self&>(*this), work, t, place);
  }
  /// Whether choices lead to what begins sums.
  template <class Reading>
  static auto begins(const Prove<Reading>& way) {
    const auto& choices = way.choices();
    return choices[Self::kPlanes] == 0 && choices[Self::kPlanes + 1] == 0 && choices[Self::kPlanes + 2] == 0;
  }
  /// The sum that a lane of an operation is added to.
  template <class Reading>
  Sum<IntOf<Reading>> sum(Scene<Reading>&, const InPlace<IntOf<Reading>>& op,
                          const Lane<IntOf<Reading>>& l) const {
    return {0, op.tap, l.row, l.column};
  }
  template <class Reading>
  Sum<IntOf<Reading>> sum(Scene<Reading>&, const Product<IntOf<Reading>>& op,
                          const Lane<IntOf<Reading>>& l) const {
    return {op.group, op.tap, l.row, l.column};
  }
};

}  // namespace wgradcheck::proofs::host
