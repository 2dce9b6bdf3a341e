#pragma once
#include <algorithm>
#include <cstdint>

#include "spec/fractal.hpp"
#include "spec/index.hpp"

/// Tensors between the channels-last layouts and Ascend's. Requires s.groups == 1.
namespace wgradcheck::targets::ascend {

/// Calls visit(n, d, h, w, c, lanes) for each pixel of [batch][depth][height][width][channels] and each block
/// of its channels: c is the first of `lanes`.
template <class Visit>
void each_pixel_block(std::int64_t batch, std::int64_t depth, std::int64_t height, std::int64_t width,
                      std::int64_t channels, Visit visit) {
  for (std::int64_t n = 0; n < batch; ++n)
    for (std::int64_t d = 0; d < depth; ++d)
      for (std::int64_t h = 0; h < height; ++h)
        for (std::int64_t w = 0; w < width; ++w)
          for (std::int64_t c = 0; c < channels; c += spec::kC0)
            visit(n, d, h, w, c, std::min<std::int64_t>(spec::kC0, channels - c));
}

/// A pixel's block of channels, of which those behind `lanes` hold `filler`.
template <class T>
void pack_block(const T* from, std::int64_t lanes, T filler, T* to) {
  std::copy_n(from, lanes, to);
  std::fill(to + lanes, to + spec::kC0, filler);
}

/// x as NDC1HWC0, packed_x_elems(s) elements of which the padding lanes hold `filler`.
template <class T>
void pack_x(const spec::Shape& s, const T* x, T filler, T* packed) {
  each_pixel_block(s.batch, s.depth.input, s.height.input, s.width.input, s.in_channels,
                   [&](auto n, auto d, auto h, auto w, auto c, auto lanes) {
                     pack_block(x + spec::x_offset<std::int64_t>(s, n, d, h, w, 0, c), lanes, filler,
                                packed + spec::packed_x_offset(s, n, d, h, w, c));
                   });
}

/// dy as NDC1HWC0, packed_dy_elems(s) elements of which the padding lanes hold `filler`.
template <class T>
void pack_dy(const spec::Shape& s, const T* dy, T filler, T* packed) {
  each_pixel_block(s.batch, s.depth.output, s.height.output, s.width.output, s.out_channels,
                   [&](auto n, auto d, auto h, auto w, auto c, auto lanes) {
                     pack_block(dy + spec::dy_offset<std::int64_t>(s, n, d, h, w, 0, c), lanes, filler,
                                packed + spec::packed_dy_offset(s, n, d, h, w, c));
                   });
}

/// Calls visit(dense offset, packed offset, lanes) for each stretch of dW that both layouts hold together.
template <class Visit>
void each_dw_stretch(const spec::Shape& s, Visit visit) {
  for (std::int64_t co = 0; co < s.out_channels; ++co)
    for (std::int64_t kd = 0; kd < s.depth.kernel; ++kd)
      for (std::int64_t kh = 0; kh < s.height.kernel; ++kh)
        for (std::int64_t kw = 0; kw < s.width.kernel; ++kw)
          for (std::int64_t ci = 0; ci < s.in_channels; ci += spec::kC0)
            visit(spec::dw_offset<std::int64_t>(s, 0, co, kd, kh, kw, ci),
                  spec::packed_dw_offset(s, co, kd, kh, kw, ci),
                  std::min<std::int64_t>(spec::kC0, s.in_channels - ci));
}

/// dW as FRACTAL_Z_3D, packed_dw_elems(s) floats of which the padding lanes hold `filler`.
inline void pack_dw(const spec::Shape& s, const float* dw, float filler, float* packed) {
  std::fill_n(packed, spec::packed_dw_elems(s), filler);
  each_dw_stretch(s, [&](auto dense, auto at, auto lanes) { std::copy_n(dw + dense, lanes, packed + at); });
}

/// dW from FRACTAL_Z_3D, without the padding lanes.
inline void unpack_dw(const spec::Shape& s, const float* packed, float* dw) {
  each_dw_stretch(s, [&](auto dense, auto at, auto lanes) { std::copy_n(packed + at, lanes, dw + dense); });
}

}  // namespace wgradcheck::targets::ascend
