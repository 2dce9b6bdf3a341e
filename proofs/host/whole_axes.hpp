#pragma once
#include "proofs/host/picked.hpp"

/// What is claimed where a tile, or a window of outputs and taps, is all of an axis.
namespace wgradcheck::proofs::host {

/// A tile of `size` that is no less than the extent holds all of it.
template <class Reading>
void claim_whole(Reading& p, const impl::Range<IntOf<Reading>>& tile, const IntOf<Reading>& choice,
                 const IntOf<Reading>& size, const IntOf<Reading>& extent, const auto& when) {
  const IntOf<Reading> zero = 0, one = 1;
  p.use(monotone(one, choice, size));
  p.use(times(choice, zero, size));
  p.claim("all of the axis", implies(when, tile.first == 0 && tile.last == extent));
}

/// Equal numbers have the same quotient.
template <class Reading>
void use_same_quotient(Reading& p, const IntOf<Reading>& a, const IntOf<Reading>& a2,
                       const IntOf<Reading>& b) {
  const auto q = spec::floor_div(a, b);
  for (const auto& of : {a, a2})
    for (const auto& at : {q, q + 1}) p.use(quotient(at, of, b));
  p.use(times(q, spec::floor_div(a2, b), b));
}

/// A window of all outputs and the first `taps` taps of an axis picks what impl::stages_all looks at.
template <class Reading>
impl::Pick<IntOf<Reading>> claim_picks_all(Reading& p, const Window<IntOf<Reading>>& w,
                                           const IntOf<Reading>& taps) {
  const auto& a = w.axis;
  const IntOf<Reading> zero = 0;
  const Window<IntOf<Reading>> all{a, {zero, a.output}, {zero, taps}};
  const auto before = a.pad_before - w.taps.first * a.dilation, before_all = a.pad_before - zero * a.dilation;
  p.use(times(w.taps.first, zero, a.dilation));
  p.use(times(w.taps.last - 1, taps - 1, a.dilation));
  p.use(times(w.outputs.first, zero, a.stride));
  p.use(times(w.outputs.last - 1, a.output - 1, a.stride));
  use_same_quotient(p, 0 - before, 0 - before_all, a.stride);
  use_same_quotient(p, 0 - (a.input + before), 0 - (a.input + before_all), a.stride);
  const auto is_all =
      w.outputs.first == 0 && w.outputs.last == a.output && w.taps.first == 0 && w.taps.last == taps;
  p.claim("the same outputs meet the first tap",
          implies(is_all, impl::touched(a, w.taps.first).first == impl::touched(a, zero).first &&
                              impl::touched(a, w.taps.first).last == impl::touched(a, zero).last));
  const auto pick = impl::picked(a, w.outputs, w.taps), same = impl::picked(a, all.outputs, all.taps);
  p.claim("the same inputs", implies(is_all, pick.count == same.count && pick.step == same.step));
  return pick;
}

}  // namespace wgradcheck::proofs::host
