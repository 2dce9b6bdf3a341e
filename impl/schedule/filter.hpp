#pragma once
#include "impl/schedule/block.hpp"

/// The taps of a filter, as the host library's schedules go through them.
namespace wgradcheck::impl {

/// Number of a tap in the order of dW.
template <class Int>
Int tap_at(const spec::BasicShape<Int>& s, const Int& kd, const Int& kh, const Int& kw) {
  return (kd * s.height.kernel + kh) * s.width.kernel + kw;
}

/// Calls body(kd) for each tap of depth, whose sums are cleared where it meets no output.
template <class Env, class Int, class Body>
void each_depth_tap(Env& env, const spec::BasicShape<Int>& s, const Body& body) {
  env.loop({Int(0), s.depth.kernel}, [=, &env](const Int& kd) {
    env.clear_if_none(length(touched(s.depth, kd)), tap_at(s, kd, Int(0), Int(0)),
                      s.height.kernel * s.width.kernel);
    body(kd);
  });
}

}  // namespace wgradcheck::impl
