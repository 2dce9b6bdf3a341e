#pragma once
#include "spec/shape.hpp"

/// Ascend's tensor layouts: channels in blocks of kC0 lanes, the last block padded. One group.
namespace wgradcheck::spec {

/// Lanes of a block, also where dW is float: the documents' 8 for 32-bit elements is that of a float source.
inline constexpr int kC0 = 16;

/// Blocks that hold so many channels.
template <class Int>
Int channel_blocks(const Int& channels) {
  return ceil_div(channels, Int(kC0));
}

/// Channels with those of the last block's padding.
template <class Int>
Int padded_channels(const Int& channels) {
  return channel_blocks(channels) * Int(kC0);
}

/// A channel as its block and its lane, 0 <= lane < kC0.
template <class Int>
struct Lane {
  Int block, lane;
};

template <class Int>
Lane<Int> lane_of(const Int& channel) {
  const Int block = floor_div(channel, Int(kC0));
  return {block, channel - block * Int(kC0)};
}

/// Offset, in elements, in NDC1HWC0, [n][depth][blocks][height][width][kC0].
template <class Int>
Int ndc1hwc0(const Int& depth, const Int& blocks, const Int& height, const Int& width, const Int& n,
             const Int& d, const Int& h, const Int& w, const Lane<Int>& c) {
  return ((((n * depth + d) * blocks + c.block) * height + h) * width + w) * Int(kC0) + c.lane;
}

/// Offset of input channel ci in x as NDC1HWC0.
template <class Int>
Int packed_x_offset(const BasicShape<Int>& s, const Int& n, const Int& d, const Int& h, const Int& w,
                    const Int& ci) {
  return ndc1hwc0(s.depth.input, channel_blocks(s.in_channels), s.height.input, s.width.input, n, d, h, w,
                  lane_of(ci));
}

/// Offset of output channel co in dy as NDC1HWC0.
template <class Int>
Int packed_dy_offset(const BasicShape<Int>& s, const Int& n, const Int& d, const Int& h, const Int& w,
                     const Int& co) {
  return ndc1hwc0(s.depth.output, channel_blocks(s.out_channels), s.height.output, s.width.output, n, d, h, w,
                  lane_of(co));
}

/// Offset in dW as FRACTAL_Z_3D, [kd][blocks of ci][kh][kw][padded co][kC0].
template <class Int>
Int packed_dw_offset(const BasicShape<Int>& s, const Int& co, const Int& kd, const Int& kh, const Int& kw,
                     const Int& ci) {
  const Lane<Int> c = lane_of(ci);
  return ((((kd * channel_blocks(s.in_channels) + c.block) * s.height.kernel + kh) * s.width.kernel + kw) *
              padded_channels(s.out_channels) +
          co) *
             Int(kC0) +
         c.lane;
}

/// Elements of x, dy and dW in these layouts, padding lanes included.
template <class Int>
Int packed_x_elems(const BasicShape<Int>& s) {
  return s.batch * s.depth.input * s.height.input * s.width.input * padded_channels(s.in_channels);
}

template <class Int>
Int packed_dy_elems(const BasicShape<Int>& s) {
  return s.batch * s.depth.output * s.height.output * s.width.output * padded_channels(s.out_channels);
}

template <class Int>
Int packed_dw_elems(const BasicShape<Int>& s) {
  return s.depth.kernel * s.height.kernel * s.width.kernel * padded_channels(s.in_channels) *
         padded_channels(s.out_channels);
}

}  // namespace wgradcheck::spec
