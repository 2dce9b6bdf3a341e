#pragma once
#include <cstdint>
#include <numeric>
#include <vector>

#include "spec/shape.hpp"

namespace wgradcheck::spec {

/// A dense row-major tensor of integers that finds its elements without the formulas under test.
struct Tensor {
  std::vector<std::int64_t> extents, values;

  explicit Tensor(std::vector<std::int64_t> sizes) : extents(std::move(sizes)) {
    values.resize(static_cast<std::size_t>(
        std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>())));
  }
  std::int64_t& at(const std::vector<std::int64_t>& index) {
    std::size_t offset = 0;
    for (std::size_t i = 0; i < index.size(); ++i)
      offset = offset * static_cast<std::size_t>(extents[i]) + static_cast<std::size_t>(index[i]);
    return values.at(offset);
  }
  /// Calls visit(index) for every element.
  template <class Visit>
  void each(Visit visit) const {
    std::vector<std::int64_t> index(extents.size(), 0);
    for (std::size_t left = values.size(); left > 0; --left) {
      visit(index);
      for (std::size_t i = index.size(); i-- > 0 && ++index[i] == extents[i];) index[i] = 0;
    }
  }
};

/// The forward convolution [n][od][oh][ow][Co] of x [n][d][h][w][Ci] and w [g][Co'][kd][kh][kw][Ci'], done
/// the literal way: x is copied into a larger tensor of zeros, the kernel is spread with zeros between its
/// taps, and the one slides over the other.
inline Tensor forward(const Shape& s, const Tensor& x, const Tensor& w) {
  const std::vector<Axis<std::int64_t>> axes{s.depth, s.height, s.width};
  std::vector<std::int64_t> padded{s.batch}, spread{s.out_channels}, slid{s.batch};
  for (const auto& a : axes) {
    const std::int64_t window = a.kernel + (a.kernel - 1) * (a.dilation - 1);
    spread.push_back(window);
    padded.push_back(std::max((a.output - 1) * a.stride + window, a.pad_before + a.input));
    slid.push_back(a.output);
  }
  const std::int64_t in = s.in_channels / s.groups, out = s.out_channels / s.groups;
  padded.push_back(s.in_channels);
  spread.push_back(in);
  slid.push_back(s.out_channels);

  Tensor big(padded), kernel(spread), y(slid);
  Tensor source = x, taps = w;
  x.each([&](const std::vector<std::int64_t>& i) {
    big.at({i[0], i[1] + s.depth.pad_before, i[2] + s.height.pad_before, i[3] + s.width.pad_before, i[4]}) =
        source.at(i);
  });
  w.each([&](const std::vector<std::int64_t>& i) {
    kernel.at({i[0] * out + i[1], i[2] * s.depth.dilation, i[3] * s.height.dilation, i[4] * s.width.dilation,
               i[5]}) = taps.at(i);
  });
  y.each([&](const std::vector<std::int64_t>& i) {
    std::int64_t sum = 0;
    for (std::int64_t d = 0; d < spread[1]; ++d)
      for (std::int64_t h = 0; h < spread[2]; ++h)
        for (std::int64_t v = 0; v < spread[3]; ++v)
          for (std::int64_t c = 0; c < in; ++c)
            sum += kernel.at({i[4], d, h, v, c}) *
                   big.at({i[0], i[1] * s.depth.stride + d, i[2] * s.height.stride + h,
                           i[3] * s.width.stride + v, i[4] / out * in + c});
    y.at(i) = sum;
  });
  return y;
}

}  // namespace wgradcheck::spec
