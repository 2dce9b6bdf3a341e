#pragma once
#include "impl/schedule/staged.hpp"
#include "proofs/lemmas.hpp"

/// What holds of the pixels of an axis that impl::picked chooses to stage. Each is proved in
/// obligations/lemmas.cpp, on one axis, and then used in the proofs of schedules.
namespace wgradcheck::proofs::host {

/// Outputs and taps of an axis that are staged together.
template <class Int>
struct Window {
  spec::Axis<Int> axis;
  impl::Range<Int> outputs, taps;
};

/// Whether it has an output and a tap, and they are the axis's.
template <class Int>
auto is_window(const Window<Int>& w) {
  const auto& [axis, outputs, taps] = w;
  return 1 <= axis.stride && 1 <= axis.dilation && 0 <= outputs.first && outputs.first < outputs.last &&
         outputs.last <= axis.output && 0 <= taps.first && taps.first < taps.last && taps.last <= axis.kernel;
}

/// How many lines are staged of it.
template <class Int>
Int lines_of(const Window<Int>& w) {
  return impl::picked(w.axis, w.outputs, w.taps).count;
}

/// Each staged pixel lies in the input.
template <class Int>
auto picks_inputs(const Window<Int>& w, const Int& i) {
  const auto pick = impl::picked(w.axis, w.outputs, w.taps);
  const auto input = pick.first + i * pick.step;
  return Lemma{"picks_inputs",
               implies(is_window(w) && 0 <= i && i < pick.count, 0 <= input && input < w.axis.input)};
}

/// The staged pixel that output `output` + i reads through tap `tap` + a, counted from that of `output` and
/// `tap` in steps of neighbouring outputs and taps.
template <class Int>
Int staged_from(const Window<Int>& w, const Int& output, const Int& i, const Int& tap, const Int& a) {
  const auto pick = impl::picked(w.axis, w.outputs, w.taps);
  return impl::staged_at(w.axis, pick, output, tap) + i * spec::floor_div(w.axis.stride, pick.step) +
         a * spec::floor_div(w.axis.dilation, pick.step);
}

/// It is one of those that are staged, and what the output reads through the tap.
template <class Int>
auto picks_what_is_read(const Window<Int>& w, const Int& output, const Int& i, const Int& tap, const Int& a) {
  const auto pick = impl::picked(w.axis, w.outputs, w.taps);
  const auto at = staged_from(w, output, i, tap, a);
  const Int p = output + i, r = tap + a;
  return Lemma{
      "picks_what_is_read",
      implies(is_window(w) && impl::contains(w.outputs, p) && w.taps.first <= tap && 0 <= a &&
                  r < w.taps.last && spec::touches(w.axis, p, r),
              0 <= at && at < pick.count && pick.first + at * pick.step == spec::input_at(w.axis, p, r))};
}

}  // namespace wgradcheck::proofs::host
