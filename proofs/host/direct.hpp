#pragma once
#include "impl/schedule/direct.hpp"
#include "proofs/host/box_schedule.hpp"

namespace wgradcheck::proofs::host {

/// impl::direct, for kernels of few taps.
struct Direct : BoxSchedule<Direct> {
  static constexpr std::size_t kBox = 0, kPlanes = 1;

  template <class Env, class Int>
  void run(Env& env, const spec::BasicShape<Int>& s, const impl::Part<Int>& part,
           const impl::Cut<Int>& cut) const {
    impl::direct(env, s, part, cut);
  }
  template <class Reading>
  auto takes(const Work<Reading>& work) const {
    return work.s.groups == 1 && (work.s.depth.output == 1 || work.cut.planes == 1);
  }
  template <class Reading>
  static std::array<IntOf<Reading>, 3> tap(const Prove<Reading>& way) {
    return {way.choices()[0], way.choices()[4], way.choices()[5]};
  }

  template <class Reading>
  Term<IntOf<Reading>> term(Scene<Reading>& scene, const Lane<IntOf<Reading>>& l) const {
    const auto t = term_of_box(scene, l, scene.part.groups.first);
    const auto [n, d] = image_of(scene, l);
    return {n, d, t.oh, t.ow, t.kd, t.kh, t.kw, t.g, t.co, t.ci};
  }

  /// Tap of depth, planes, lines, pixels, taps of height and width.
  template <class Reading>
  std::vector<IntOf<Reading>> owner(const Work<Reading>& work, const Term<IntOf<Reading>>& t) const {
    const auto [planes, lines, pixels] = owner_of_box(work, t);
    return {t.kd, planes, lines, pixels, t.kh, t.kw};
  }
};

}  // namespace wgradcheck::proofs::host
