#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "check/judge/data.hpp"
#include "check/judge/finding.hpp"
#include "check/judge/number.hpp"
#include "spec/index.hpp"

/// The sum with parts of it altered: what kernels with slips compute.
namespace wgradcheck::check::altered {

using spec::Shape;
using Prediction = std::optional<std::vector<double>>;

/// The place in the sum where a slip may look: a dW element and an output position.
struct Place {
  spec::Element e;
  std::int64_t n, od, oh, ow;
};

/// The sum with parts replaced; where a part is empty, it is the definition's.
struct Formula {
  std::function<bool(const Shape&, const Place&)> skip;  ///< whether a product is left out
  std::function<int(const Shape&, const Place&)> times;  ///< how often it is added
  std::function<bool(const Shape&, std::int64_t y, std::int64_t x)> inside;
  std::function<bool(const Shape&, std::int64_t z)> has_plane;
  /// The input row and column that a tap reads, from those of the definition.
  std::function<void(const Shape&, const Place&, std::int64_t& y, std::int64_t& x)> move;
  std::function<std::int64_t(const Shape&, const Place&)> dy_channel, x_channel;
  /// Offsets in dy and x, elements.
  std::function<std::int64_t(const Shape&, const Pixel&)> dy_at, x_at;
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

/// The definition where one axis has a field of another's.
template <auto Axis, auto Of, auto Field>
Prediction taken_from(const Case& c, const Data& data) {
  return with_shape(c, data, [](Shape& s) { s.*Axis.*Field = s.*Of.*Field; });
}

/// The definition with one part replaced.
template <class Part>
Prediction with_formula(const Case& c, const Data& data, Part Formula::*part, std::type_identity_t<Part> by) {
  Formula f;
  f.*part = std::move(by);
  return evaluate(c, data, f, c.shape);
}

/// The definition's sums, each added to dW where `place` puts the element: an offset, elements.
Prediction relocated(const Case&, const Data&,
                     const std::function<std::int64_t(const Shape&, const spec::Element&)>& place);

}  // namespace wgradcheck::check::altered
