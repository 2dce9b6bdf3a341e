#pragma once
#include <array>
#include <span>

#include "impl/schedule/view.hpp"
#include "impl/simd/outer.hpp"
#include "spec/shape.hpp"

/// What a part of dW reads next, so that memory can be asked for it while products are computed.
namespace wgradcheck::impl::host {

/// Follows what is read of dy and x. Behind the last line of a box the next box begins, and at a tensor's end
/// the next images, or the next part, which has other channels. That is a guess: where it is wrong, it costs
/// time alone.
template <class T>
class Foreseen {
 public:
  using Int = std::int64_t;

  Foreseen(const spec::Shape& s, const T* dy, const T* x) : s_(s), dy_(dy), x_(x) {}

  /// A line of dy was read, `channels` channels of each pixel; offsets and steps count elements.
  void read_dy(Int from, Int channels) {
    const Int line = s_.width.output * s_.out_channels;
    dy_follows({from + line, s_.depth.output * s_.height.output * line, line, s_.out_channels}, channels,
               from);
  }
  void read_x(Int from, Int channels) {
    const Int line = s_.width.input * s_.in_channels;
    x_follows({from + line, s_.depth.input * s_.height.input * line, s_.height.stride * line,
               s_.width.stride * s_.in_channels},
              channels, from);
  }
  /// `next` are the pixels that follow on a box or a line that began at `from`.
  void dy_follows(View<Int> next, Int channels, Int from) {
    if (first_dy_ < 0) first_dy_ = from;
    if (next.at >= spec::dy_elems(s_) && channels < s_.out_channels)
      next.at = s_.groups > 1 ? other(first_dy_, channels, s_.out_channels) : first_dy_;
    soon_[0] = soon_of(dy_, next, channels);
    done_ = 0;
  }
  void x_follows(View<Int> next, Int channels, Int from) {
    if (first_x_ < 0) first_x_ = from;
    if (next.at >= spec::x_elems(s_) && channels < s_.in_channels)
      next.at = other(first_x_, channels, s_.in_channels);
    soon_[1] = soon_of(x_, next, channels);
  }

  /// What to ask for while one of a box's `products` is computed, of so many register tiles: nothing before
  /// the last ones, since what is asked for too early leaves the cache again.
  std::span<simd::Soon> soon(Int products, Int tiles) {
    const Int left = products - ++done_, lines = soon_[0].lines + soon_[1].lines;
    return left * tiles < lines ? std::span<simd::Soon>(soon_) : std::span<simd::Soon>();
  }
  std::span<simd::Soon> soon() { return soon_; }

 private:
  /// The same pixel's next channels.
  static Int other(Int at, Int channels, Int all) {
    const Int channel = at % all;
    return at - channel + (channel + channels) % all;
  }
  static simd::Soon soon_of(const T* tensor, const View<Int>& v, Int channels) {
    constexpr auto kSize = static_cast<Int>(sizeof(T));
    return {reinterpret_cast<const std::byte*>(tensor + v.at),
            v.plane * kSize,
            v.line * kSize,
            v.pixel * kSize,
            spec::ceil_div(channels * kSize, simd::kLineBytes),
            0};
  }

  spec::Shape s_;
  const T* dy_;
  const T* x_;
  std::array<simd::Soon, 2> soon_{};
  Int done_ = 0;                      ///< products of the box
  Int first_dy_ = -1, first_x_ = -1;  ///< where the part began
};

}  // namespace wgradcheck::impl::host
