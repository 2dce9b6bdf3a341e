#include "check/judge/rounding.hpp"

#include <fmt/format.h>

#include <cmath>

#include "check/judge/number.hpp"
#include "check/judge/oracle.hpp"
#include "spec/rounding.hpp"

namespace wgradcheck::check {
namespace {

spec::Accumulator accumulator_of(DType t) {
  return t == DType::f32 ? spec::kFloatSums : t == DType::f16 ? spec::kHalfSums : spec::kBfloatSums;
}

Integers magnitudes(Integers values) {
  for (std::int16_t& v : values) v = static_cast<std::int16_t>(std::abs(v));
  return values;
}

}  // namespace

std::optional<Finding> compare_rounded(const Case& c, const Data& data, const Promises& promises,
                                       const Tensors& t) {
  const auto sums = exact_long_sums(c.shape, data.dy, data.x);
  const auto absolute = exact_long_sums(c.shape, magnitudes(data.dy), magnitudes(data.x));
  const spec::Accumulator accumulator = accumulator_of(promises.accumulator().value_or(c.dtype));
  const std::int64_t columns = spec::dw_elems(c.shape) / c.shape.out_channels;
  for (std::int64_t i = 0; i < spec::dw_elems(c.shape); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double old = promises.adds() ? data.dw[at] : 0;
    const double bias = c.bias == Bias::column       ? data.bias[static_cast<std::size_t>(i % columns)]
                        : c.bias == Bias::per_output ? data.bias[static_cast<std::size_t>(i / columns)]
                                                     : 0;
    // Integers below 2^53 on one grid: all of this is exact.
    const double exact = old + bias + std::ldexp(static_cast<double>(sums[at]), -2 * data.scale);
    const double size =
        std::abs(old) + std::abs(bias) + std::ldexp(static_cast<double>(absolute[at]), -2 * data.scale);
    const spec::Element e = spec::element_at(c.shape, i);
    const double bound = spec::sum_error_bound(accumulator, terms_of(c.shape, e), size);
    const double got = load(c.dtype, t.dw, i);
    // Rounding to the element type is monotone, so the bound's ends round to the result's.
    if (got >= rounded(c.dtype, exact - bound) && got <= rounded(c.dtype, exact + bound)) continue;
    const std::string allowed = fmt::format("{:.3g}", bound);
    return Finding{
        Property::rounding,
        true,
        fmt::format("an error of {:.3g} before rounding to the element type, where the {} accumulation "
                    "allows {} ({} products)",
                    std::abs(got - exact), promises.accumulator() ? "promised" : "element type's own",
                    allowed, terms_of(c.shape, e)),
        e,
        got,
        rounded(c.dtype, exact)};
  }
  return {};
}

}  // namespace wgradcheck::check
