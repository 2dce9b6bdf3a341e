#pragma once
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "impl/bfloat.hpp"
#include "impl/half.hpp"
#include "spec/rules.hpp"
#include "spec/wgrad.hpp"
#include "tests/spec/shapes.hpp"

namespace wgradcheck {

/// A shape of each path, with output extents that need not follow from the input's on the general one.
inline rc::Gen<spec::Shape> any_2d_shape() {
  return rc::gen::exec([] {
    const auto few = rc::gen::inRange<std::int64_t>(1, 4);
    const auto many = rc::gen::inRange<std::int64_t>(1, 40);
    spec::Shape s{*few, 1, *many, *many, spec::kNoAxis, *spec::any_axis(9), *spec::any_axis(9)};
    switch (*rc::gen::inRange(0, 4)) {
      case 0:  // depthwise
        s.groups = s.in_channels = s.out_channels;
        s.height.dilation = s.width.dilation = 1;
        break;
      case 1:  // 1x1
        for (auto* a : {&s.height, &s.width}) *a = {a->input, a->input, 1, 1, 1, 0};
        break;
      case 2:  // grouped
        s.groups = *few + 1;
        s.in_channels = s.groups * *few;
        s.out_channels = s.groups * *many;
        break;
      default:
        break;
    }
    return s;
  });
}

/// A buffer_size_ that the shape's call admits: often at the limit or just over it, never so large that a
/// small plane fits many times.
inline rc::Gen<std::int64_t> any_buffer(const spec::Shape& s, std::int64_t elem_bytes) {
  const std::int64_t limit = spec::buffer_limit(spec::call_of(s, elem_bytes, 1, 0));
  return rc::gen::oneOf(rc::gen::just(limit), rc::gen::inRange(limit, limit + 9),
                        rc::gen::inRange(limit, limit + 20'000));
}

/// The integers of a call, small enough that every sum of a small shape is exact in float and in binary16.
struct Numbers {
  std::vector<float> dy, x, dw, bias;

  Numbers(const spec::Shape& s, std::uint32_t seed, bool with_bias) : random_(seed) {
    fill(dy, spec::dy_elems(s), 1);
    fill(x, spec::x_elems(s), 2);
    fill(dw, spec::dw_elems(s), 5);
    if (with_bias) fill(bias, spec::dw_elems(s) / s.out_channels, 5);
  }

  /// What the document says out_dw holds after a call.
  std::vector<float> expected(const spec::Shape& s) const {
    std::vector<float> out = dw;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (!bias.empty()) out[i] += bias[i % bias.size()];
      out[i] += static_cast<float>(spec::element<double>(s, spec::element_at(s, static_cast<std::int64_t>(i)),
                                                         std::span(dy), std::span(x))
                                       .value);
    }
    return out;
  }

 private:
  void fill(std::vector<float>& to, std::int64_t count, int most) {
    std::uniform_int_distribution<int> pick(-most, most);
    for (std::int64_t i = 0; i < count; ++i) to.push_back(static_cast<float>(pick(random_)));
  }
  std::mt19937 random_;
};

/// A number rounded to an element type.
template <class T>
T rounded(float f) {
  if constexpr (std::is_same_v<T, float>) return f;
  if constexpr (std::is_same_v<T, impl::Half>) return impl::to_half(f);
  if constexpr (std::is_same_v<T, impl::Bfloat>) return impl::to_bfloat(f);
}

template <class T>
std::vector<T> rounded(const std::vector<float>& numbers) {
  std::vector<T> out;
  for (const float f : numbers) out.push_back(rounded<T>(f));
  return out;
}

template <class T>
std::vector<float> floats(const std::vector<T>& elements) {
  std::vector<float> out;
  for (const T& e : elements) out.push_back(impl::to_float(e));
  return out;
}

}  // namespace wgradcheck
