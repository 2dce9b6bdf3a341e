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
  std::function<std::int64_t(const Shape&, const Place&)> dy_channel = [](const Shape& s, const Place& p) {
    return p.e.g * spec::out_per_group(s) + p.e.co;
  };
  std::function<std::int64_t(const Shape&, const Place&)> x_channel = [](const Shape& s, const Place& p) {
    return p.e.g * spec::in_per_group(s) + p.e.ci;
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

template <class Swap>
Prediction with_taps(const Case& c, const Data& data, Swap swap) {
  // In float, where the sums are exact: they are rounded once, with the old value of their new place.
  Case wide = c;
  wide.dtype = DType::f32;
  const Prediction plain = evaluate(wide, data, {}, c.shape);
  if (!plain) return {};
  const Shape& s = c.shape;
  std::vector<double> dw(plain->size());
  for (std::size_t i = 0; i < dw.size(); ++i) {
    const spec::Element e = spec::element_at(s, static_cast<std::int64_t>(i));
    const spec::Element from = swap(s, e);
    const auto j =
        static_cast<std::size_t>(spec::dw_offset(s, from.g, from.co, from.kd, from.kh, from.kw, from.ci));
    dw[i] = rounded(c.dtype, (*plain)[j] - data.dw[j] + data.dw[i]);
  }
  return dw;
}

}  // namespace wgradcheck::check::altered
