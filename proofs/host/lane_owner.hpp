#pragma once
#include "impl/schedule/lanes.hpp"
#include "proofs/host/box_schedule.hpp"

namespace wgradcheck::proofs::host {

/// The steps that show an output to be among those of a piece of an axis, or the piece's taps to touch it: an
/// output that the block's first tap and its last touch, the taps between touch too. `first` is the piece's.
template <class Reading>
void use_meets(Reading& p, const spec::Axis<IntOf<Reading>>& axis, const impl::Range<IntOf<Reading>>& taps,
               const IntOf<Reading>& output, const IntOf<Reading>& tap, const IntOf<Reading>& first) {
  for (const auto& of : {taps.first, IntOf<Reading>(taps.last - 1), first}) {
    const auto before = axis.pad_before - of * axis.dilation;
    p.use(quotient(0 - output, 0 - before, axis.stride));
    p.use(quotient(0 - output, 0 - (axis.input + before), axis.stride));
  }
  p.use(product(tap - taps.first, axis.dilation));
  p.use(product(taps.last - 1 - tap, axis.dilation));
  p.use(times(tap, first, axis.dilation));
}

/// The side of a block of taps on which an output lies.
template <class Int>
Int side_of(const spec::Axis<Int>& axis, const impl::Range<Int>& taps, const impl::Range<Int>& outputs,
            const Int& output) {
  const auto inner = impl::met_by_all(axis, taps, outputs);
  const auto pick = spec::Arith<Int>::pick;
  const Int zero = 0, one = 1, two = 2;
  return pick(output < inner.first, one, pick(inner.last <= output, two, zero));
}

/// Which product of impl::lanes is a term's.
template <class Self>
struct LaneOwner : BoxSchedule<Self> {
  using Base = BoxSchedule<Self>;

  /// The taps and outputs of an operation.
  template <class Reading>
  static impl::Piece<IntOf<Reading>> down(const Scene<Reading>& scene) {
    const auto& ranges = scene.way.ranges();
    const auto& choices = scene.way.choices();
    return impl::piece_of(scene.s.height, ranges[3], ranges[1], choices[6], choices[7]);
  }
  template <class Reading>
  static impl::Piece<IntOf<Reading>> right(const Scene<Reading>& scene) {
    const auto& ranges = scene.way.ranges();
    const auto& choices = scene.way.choices();
    return impl::piece_of(scene.s.width, ranges[4], ranges[2], choices[8], choices[9]);
  }

  /// Tap of depth, planes, lines, pixels, taps of height and width; then, by the outputs that all of those
  /// taps meet, for height and for width a side and its first tap.
  template <class Reading>
  std::vector<IntOf<Reading>> owner(const Work<Reading>& work, const Term<IntOf<Reading>>& t) const {
    const auto [planes, lines, pixels] = Base::owner_of_box(work, t);
    return {t.kd,
            planes,
            lines,
            pixels,
            spec::floor_div(t.kh, work.cut.tap_lines),
            spec::floor_div(t.kw, work.cut.tap_pixels)};
  }
  template <class Reading>
  std::vector<IntOf<Reading>> further(const Work<Reading>& work, const Term<IntOf<Reading>>& t,
                                      const Prove<Reading>& way) const {
    const auto& ranges = way.ranges();
    const auto h = side_of(work.s.height, ranges[3], ranges[1], t.oh),
               w = side_of(work.s.width, ranges[4], ranges[2], t.ow);
    const auto first = [](const auto& side, const auto& taps, const auto& tap) {
      return spec::Arith<IntOf<Reading>>::pick(side == 0, taps.first, tap);
    };
    return {h, first(h, ranges[3], t.kh), w, first(w, ranges[4], t.kw)};
  }
  template <class Reading>
  std::vector<IntOf<Reading>> begin(const Work<Reading>& work, const Term<IntOf<Reading>>& t,
                                    const Place&) const {
    auto choices = owner(work, t);
    const IntOf<Reading> zero = 0;
    for (const auto& next : {zero, choices[4] * work.cut.tap_lines, zero, choices[5] * work.cut.tap_pixels})
      choices.push_back(next);
    return choices;
  }
  template <class Reading>
  static auto begins(const Prove<Reading>& way) {
    return Base::begins(way) && way.choices()[6] == 0 && way.choices()[8] == 0;
  }
  template <class Reading>
  void lemmas_owner(Scene<Reading>& scene, const Term<IntOf<Reading>>& t) const {
    const auto& choices = scene.way.choices();
    for (const IntOf<Reading> next : {0, 1}) {
      scene.p.use(quotient(choices[4] + next, t.kh, scene.cut.tap_lines));
      scene.p.use(quotient(choices[5] + next, t.kw, scene.cut.tap_pixels));
    }
    Base::lemmas_owner(scene, t);
  }
  template <class Reading>
  void lemmas_before(const Work<Reading>& work, const Term<IntOf<Reading>>& t,
                     const Prove<Reading>& way) const {
    const IntOf<Reading> zero = 0;
    if (way.choices().size() == 5) work.p.use(quotient(zero, t.kh, work.cut.tap_lines));
    if (way.choices().size() == 6) work.p.use(quotient(zero, t.kw, work.cut.tap_pixels));
    Base::lemmas_before(work, t, way);
  }
};

}  // namespace wgradcheck::proofs::host
