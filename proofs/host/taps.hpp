#pragma once
#include "impl/schedule/taps.hpp"
#include "proofs/host/box_schedule.hpp"

namespace wgradcheck::proofs::host {

/// impl::taps, for many channels.
struct Taps : BoxSchedule<Taps> {
  static constexpr std::size_t kBox = 2, kPlanes = 3;
  static constexpr bool kStages = true;

  /// Whether pixels may be read where they are.
  template <class Int>
  static auto lies(const spec::BasicShape<Int>& s, const impl::Cut<Int>& cut) {
    return impl::lies_as_staged(s, cut);
  }
  template <class Env, class Int>
  void run(Env& env, const spec::BasicShape<Int>& s, const impl::Part<Int>& part,
           const impl::Cut<Int>& cut) const {
    impl::taps(env, s, part, cut);
  }
  template <class Reading>
  static std::array<IntOf<Reading>, 3> tap(const Prove<Reading>& way) {
    return {way.choices()[0], way.choices()[6], way.choices()[7]};
  }
  /// What is staged of an axis.
  template <class Reading>
  static Window<IntOf<Reading>> lines(const Scene<Reading>& scene) {
    return {scene.s.height, scene.way.ranges()[3], scene.way.ranges()[0]};
  }
  template <class Reading>
  static Window<IntOf<Reading>> pixels(const Scene<Reading>& scene) {
    return {scene.s.width, scene.way.ranges()[4], scene.way.ranges()[1]};
  }

  template <class Reading>
  Term<IntOf<Reading>> term(Scene<Reading>& scene, const Lane<IntOf<Reading>>& l) const {
    return term_of_box(scene, l, scene.way.choices()[8]);
  }

  /// Tap of depth, taps of height and width, planes, lines, pixels, one tap of height and width, group.
  template <class Reading>
  std::vector<IntOf<Reading>> owner(const Work<Reading>& work, const Term<IntOf<Reading>>& t) const {
    const auto [planes, lines, pixels] = owner_of_box(work, t);
    return {t.kd,
            spec::floor_div(t.kh, work.cut.tap_lines),
            spec::floor_div(t.kw, work.cut.tap_pixels),
            planes,
            lines,
            pixels,
            t.kh,
            t.kw,
            t.g};
  }
  template <class Reading>
  void lemmas_owner(Scene<Reading>& scene, const Term<IntOf<Reading>>& t) const {
    const auto& choices = scene.way.choices();
    for (const IntOf<Reading> next : {0, 1}) {
      scene.p.use(quotient(choices[1] + next, t.kh, scene.cut.tap_lines));
      scene.p.use(quotient(choices[2] + next, t.kw, scene.cut.tap_pixels));
    }
    BoxSchedule::lemmas_owner(scene, t);
  }
  template <class Reading>
  void lemmas_before(const Work<Reading>& work, const Term<IntOf<Reading>>& t,
                     const Prove<Reading>& way) const {
    const IntOf<Reading> zero = 0;
    if (way.choices().size() == 2) work.p.use(quotient(zero, t.kh, work.cut.tap_lines));
    if (way.choices().size() == 3) work.p.use(quotient(zero, t.kw, work.cut.tap_pixels));
    BoxSchedule::lemmas_before(work, t, way);
  }
};

}  // namespace wgradcheck::proofs::host
