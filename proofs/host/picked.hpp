#pragma once
#include <array>
#include <functional>
#include <numeric>
#include <string_view>

#include "impl/schedule/staged.hpp"
#include "proofs/lemmas.hpp"

/// What holds of the pixels of an axis that impl::picked chooses to stage. Each is proved in
/// obligations/picks.cpp, on one axis, and then used in the proofs of schedules.
namespace wgradcheck::proofs::host {

/// Outputs and taps of an axis that are staged together.
template <class Int>
struct Window {
  spec::Axis<Int> axis;
  impl::Range<Int> outputs, taps;
};

/// What makes it one: the axis is one, the window has an output and a tap, and they are the axis's.
template <class Int>
auto conditions_of(const Window<Int>& w) {
  const auto& [axis, outputs, taps] = w;
  return std::array{1 <= axis.input,
                    1 <= axis.stride,
                    1 <= axis.dilation,
                    0 <= axis.pad_before,
                    0 <= outputs.first,
                    outputs.first < outputs.last,
                    outputs.last <= axis.output,
                    0 <= taps.first,
                    taps.first < taps.last,
                    taps.last <= axis.kernel};
}
template <class Int>
auto is_window(const Window<Int>& w) {
  const auto all = conditions_of(w);
  return std::accumulate(all.begin() + 1, all.end(), all.front(), std::logical_and<>());
}

/// What holds, and when.
template <class Truth>
struct Fact {
  Truth when, holds;
};
template <class Truth>
Fact<Truth> fact(const Truth& when, const Truth& holds) {
  return {when, holds};
}
template <class Truth>
Lemma<Truth> lemma_of(std::string_view name, const Fact<Truth>& fact) {
  return {name, implies(fact.when, fact.holds)};
}

/// How many lines are staged of it.
template <class Int>
Int lines_of(const Window<Int>& w) {
  return impl::picked(w.axis, w.outputs, w.taps).count;
}

/// Each staged pixel lies in the input.
template <class Int>
auto staged_is_input(const Window<Int>& w, const impl::Pick<Int>& pick, const Int& i) {
  const auto input = pick.first + i * pick.step;
  return fact(is_window(w) && 0 <= i && i < pick.count, 0 <= input && input < w.axis.input);
}
template <class Int>
auto picks_inputs(const Window<Int>& w, const Int& i) {
  return lemma_of("picks.inputs", staged_is_input(w, impl::picked(w.axis, w.outputs, w.taps), i));
}

/// The staged pixel that output `output` + i reads through tap `tap` + a, counted from that of `output` and
/// `tap` in steps of neighbouring outputs and taps.
template <class Int>
Int staged_from(const Window<Int>& w, const impl::Pick<Int>& pick, const Int& output, const Int& i,
                const Int& tap, const Int& a) {
  return impl::staged_at(w.axis, pick, output, tap) + i * spec::floor_div(w.axis.stride, pick.step) +
         a * spec::floor_div(w.axis.dilation, pick.step);
}

/// It is one of those that are staged, and what the output reads through the tap.
template <class Int>
auto read_is_staged(const Window<Int>& w, const impl::Pick<Int>& pick, const Int& output, const Int& i,
                    const Int& tap, const Int& a) {
  const auto at = staged_from(w, pick, output, i, tap, a);
  const Int p = output + i, r = tap + a;
  return fact(is_window(w) && impl::contains(w.outputs, p) && w.taps.first <= tap && 0 <= a &&
                  r < w.taps.last && spec::touches(w.axis, p, r),
              0 <= at && at < pick.count && pick.first + at * pick.step == spec::input_at(w.axis, p, r));
}
template <class Int>
auto picks_what_is_read(const Window<Int>& w, const Int& output, const Int& i, const Int& tap, const Int& a) {
  return lemma_of("picks.what_is_read",
                  read_is_staged(w, impl::picked(w.axis, w.outputs, w.taps), output, i, tap, a));
}

}  // namespace wgradcheck::proofs::host
