#pragma once
#include <cmath>
#include <limits>
#include <random>
#include <variant>
#include <vector>

#include "impl/bfloat.hpp"
#include "impl/half.hpp"
#include "spec/wgrad.hpp"
#include "targets/ascend/include/kernel_operator.h"
#include "targets/ascend/limits.hpp"
#include "targets/ascend/pack.hpp"
#include "tests/impl/guarded.hpp"
#include "tests/spec/shapes.hpp"

namespace wgradcheck::targets::ascend {

/// An axis whose engine width is its output and whose pads are under the dilated kernel.
inline spec::Axis<std::int64_t> engine_axis(std::int64_t most) {
  const auto of = [](std::int64_t least, std::int64_t last) {
    return *rc::gen::inRange<std::int64_t>(least, last + 1);
  };
  spec::Axis<std::int64_t> a{1, of(1, most), of(1, 4), of(1, 3), of(1, 3), 0};
  a.pad_before = of(0, spec::span(a) - 1);
  const std::int64_t after = of(1 - a.stride, spec::span(a) - 1);
  a.input = (a.output - 1) * a.stride + spec::span(a) - a.pad_before - after;
  return a;
}

/// Any shape that has a tiling.
inline rc::Gen<spec::Shape> any_ascend_shape() {
  return rc::gen::suchThat(rc::gen::exec([] {
                             const auto channels = rc::gen::inRange<std::int64_t>(1, 40);
                             return spec::Shape{*rc::gen::inRange<std::int64_t>(1, 3),
                                                1,
                                                *channels,
                                                *channels,
                                                engine_axis(3),
                                                engine_axis(6),
                                                engine_axis(6)};
                           }),
                           [](const spec::Shape& s) {
                             return !spec::refuse(s) &&
                                    std::holds_alternative<Conv3DBackpropFilterTilingData>(tiling_of(s));
                           });
}

inline Conv3DBackpropFilterTilingData tiled(const spec::Shape& s) {
  return std::get<Conv3DBackpropFilterTilingData>(tiling_of(s));
}

/// An element of either type that holds a float exactly, and NaN.
template <class T>
T element_of(float value);
template <>
inline half element_of(float value) {
  return {impl::to_half(value).bits};
}
template <>
inline bfloat16_t element_of(float value) {
  return {impl::to_bfloat(value).bits};
}

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// A problem's tensors as channels-last numbers, and packed into buffers that end at inaccessible pages;
/// every padding lane of dy and x holds NaN.
template <class T>
class Packed {
 public:
  explicit Packed(const spec::Shape& s, std::uint32_t seed, float scale = 1)
      : s_(s), x(numbers(spec::x_elems(s), seed, scale)), dy(numbers(spec::dy_elems(s), seed + 1, scale)) {}

  spec::Shape s_;
  std::vector<float> x, dy;

  Guarded<T> packed_x() const {
    std::vector<T> to(static_cast<std::size_t>(spec::packed_x_elems(s_)));
    pack_x(s_, elements(x).data(), element_of<T>(kNan), to.data());
    return Guarded<T>(to);
  }
  Guarded<T> packed_dy() const {
    std::vector<T> to(static_cast<std::size_t>(spec::packed_dy_elems(s_)));
    pack_dy(s_, elements(dy).data(), element_of<T>(kNan), to.data());
    return Guarded<T>(to);
  }
  Guarded<float> packed_dw(float value) const {
    return Guarded<float>(std::vector<float>(static_cast<std::size_t>(spec::packed_dw_elems(s_)), value));
  }
  std::vector<float> unpacked(const Guarded<float>& dw) const {
    std::vector<float> dense(static_cast<std::size_t>(spec::dw_elems(s_)));
    unpack_dw(s_, dw.data(), dense.data());
    return dense;
  }
  /// dW by the definition, plus an old value.
  std::vector<float> expected(double old = 0) const {
    std::vector<float> out;
    for (std::int64_t i = 0; i < spec::dw_elems(s_); ++i)
      out.push_back(static_cast<float>(old + spec::element<double>(s_, spec::element_at(s_, i),
                                                                   std::span<const float>(dy),
                                                                   std::span<const float>(x))
                                                 .value));
    return out;
  }

 private:
  static std::vector<float> numbers(std::int64_t count, std::uint32_t seed, float scale) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> pick(-9, 9);
    std::vector<float> all;
    for (std::int64_t i = 0; i < count; ++i) all.push_back(static_cast<float>(pick(random)) * scale);
    return all;
  }
  static std::vector<T> elements(const std::vector<float>& numbers) {
    std::vector<T> all;
    for (const float f : numbers) all.push_back(element_of<T>(f));
    return all;
  }
};

}  // namespace wgradcheck::targets::ascend
