#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "check/judge/data.hpp"
#include "check/judge/number.hpp"
#include "spec/index.hpp"

/// The sum with parts of it altered: what kernels with slips compute.
namespace wgradcheck::check::altered {

using spec::Shape;
using Prediction = std::optional<std::vector<double>>;

/// The place in the sum where a slip may look: a dW element and an output position.
struct Place {
  spec::Element e;
  std::int64_t n, oh, ow;
};

/// The sum with parts replaced; each part defaults to the definition's.
struct Formula {
  std::function<bool(const Shape&, const Place&)> skip = [](const Shape&, const Place&) { return false; };
  std::function<int(const Shape&, const Place&)> times = [](const Shape&, const Place&) { return 1; };
  std::function<bool(const Shape&, std::int64_t y, std::int64_t x)> inside =
      [](const Shape& s, std::int64_t y, std::int64_t x) {
        return y >= 0 && y < s.height.input && x >= 0 && x < s.width.input;
      };
  /// The input row and column that a tap reads, from those of the definition.
  std::function<void(const Shape&, const Place&, std::int64_t& y, std::int64_t& x)> move =
      [](const Shape&, const Place&, std::int64_t&, std::int64_t&) {};
  std::function<std::int64_t(const Shape&, const Place&)> dy_channel = [](const Shape& s, const Place& p) {
    return p.e.g * spec::out_per_group(s) + p.e.co;
  };
  std::function<std::int64_t(const Shape&, const Place&)> x_channel = [](const Shape& s, const Place& p) {
    return p.e.g * spec::in_per_group(s) + p.e.ci;
  };
  /// Offsets in dy and x, elements: of image, row, column and channel.
  using Offset = std::function<std::int64_t(const Shape&, std::int64_t n, std::int64_t h, std::int64_t w,
                                            std::int64_t c)>;
  Offset dy_at = [](const Shape& s, std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t c) {
    return ((n * s.height.output + h) * s.width.output + w) * s.out_channels + c;
  };
  Offset x_at = [](const Shape& s, std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t c) {
    return ((n * s.height.input + h) * s.width.input + w) * s.in_channels + c;
  };
};

/// dW by the formula over `read` (the shape a kernel with wrong parameters believes in), laid out as the
/// case's. Nothing where it would read outside dy or x.
Prediction evaluate(const Case&, const Data&, const Formula&, const Shape& read);

/// The definition over a shape with changed parameters.
template <class Change>
Prediction with_shape(const Case& c, const Data& data, Change change) {
  Shape read = c.shape;
  change(read);
  return evaluate(c, data, {}, read);
}

inline Prediction with_formula(const Case& c, const Data& data, const Formula& f) {
  return evaluate(c, data, f, c.shape);
}

/// The definition's sums, each added to dW where `place` puts the element: an offset, elements.
Prediction relocated(const Case&, const Data&,
                     const std::function<std::int64_t(const Shape&, const spec::Element&)>& place);

}  // namespace wgradcheck::check::altered
