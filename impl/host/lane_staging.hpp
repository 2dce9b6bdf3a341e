#pragma once
#include "impl/host/next_lanes.hpp"
#include "impl/host/staging.hpp"

namespace wgradcheck::impl::host {

/// The part of the environment that stages lanes, the channels of groups side by side.
template <class T>
class LaneStaging : public Staging<T> {
 public:
  using Int = std::int64_t;

  LaneStaging(const spec::Shape& s, const Memory<T>& m)
      : Staging<T>(s, m), next_(s, m.dy, m.x, m.next_part) {}

  bool x_in_place() const { return std::is_same_v<T, float>; }
  bool dy_in_place() const { return std::is_same_v<T, float> && memory().mixed; }
  void widen_lanes(Int count, Int channels, Int from, Int step, Int to) {
    next_.read_x(from, channels);
    if (!x_in_place()) this->widen_x(count, channels, from, step, to);
  }
  /// Map m, lane l of each pixel is dy's output channel m of the group of input channel l.
  void spread_dy(Int count, const Range<Int>& channels, Int from, Int to, Int map) {
    const Int ci = spec::in_per_group(shape()), co = spec::out_per_group(shape());
    next_.read_dy(from + channels.first / ci * co, spec::ceil_div(length(channels), ci) * co);
    if (dy_in_place()) return;
    if (memory().mixed) return widen_dy(count, length(channels), from + channels.first, to);
    for (Int m = 0; m < co; ++m)
      simd::spread<T>(count, channels.first, channels.last, ci, co, m, memory().dy + from,
                      shape().out_channels, memory().packed_dy + to + m * map);
  }
  void widen_dy(Int count, Int channels, Int from, Int to) {
    simd::copy<T>(count, channels, {memory().dy + from, shape().out_channels},
                  {memory().packed_dy + to, channels});
  }

 protected:
  using Staging<T>::memory;
  using Staging<T>::shape;

  NextLanes<T>& next_lanes() { return next_; }

 private:
  NextLanes<T> next_;
};

}  // namespace wgradcheck::impl::host
