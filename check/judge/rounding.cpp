#include "check/judge/rounding.hpp"

#include <fmt/format.h>

#include <cmath>

#include "check/judge/number.hpp"
#include "check/judge/oracle.hpp"
#include "spec/rounding.hpp"
#include "spec/wgrad.hpp"

namespace wgradcheck::check {
namespace {

spec::Accumulator accumulator_of(DType t) {
  return t == DType::f32 ? spec::kFloatSums : t == DType::f16 ? spec::kHalfSums : spec::kBfloatSums;
}

Integers magnitudes(Integers values) {
  for (std::int16_t& v : values) v = static_cast<std::int16_t>(std::abs(v));
  return values;
}

/// An element of the index whose products sum to `sum` and their magnitudes to `size`, each in units of
/// 2^(-2 * scale).
struct Sum {
  std::int64_t index, sum, size, terms;
};

/// The exact value before rounding to the element type, and what is allowed of it.
struct Judged {
  double exact;
  Allowed allowed;
};

Judged judged(const Case& c, const Data& data, const Promises& promises, const Sum& s) {
  const std::int64_t columns = spec::dw_elems(c.shape) / c.shape.out_channels;
  const auto bias_at = [&](std::int64_t i) -> double { return data.bias[static_cast<std::size_t>(i)]; };
  const double old = promises.adds() ? data.dw[static_cast<std::size_t>(s.index)] : 0;
  const double bias = c.bias == Bias::column       ? bias_at(s.index % columns)
                      : c.bias == Bias::per_output ? bias_at(s.index / columns)
                                                   : 0;
  // Integers below 2^53 on one grid: all of this is exact.
  const double exact = old + bias + std::ldexp(static_cast<double>(s.sum), -2 * data.scale);
  const double size =
      std::abs(old) + std::abs(bias) + std::ldexp(static_cast<double>(s.size), -2 * data.scale);
  const spec::Accumulator accumulator = accumulator_of(promises.accumulator().value_or(c.dtype));
  const double bound = data.exact ? 0 : spec::sum_error_bound(accumulator, s.terms, size);
  // Rounding to the element type is monotone, so the bound's ends round to the result's.
  return {exact,
          {rounded(c.dtype, exact), rounded(c.dtype, exact - bound), rounded(c.dtype, exact + bound), bound}};
}

}  // namespace

Allowed allowed_element(const Case& c, const Data& data, const Promises& promises, const spec::Element& e) {
  const auto sum = spec::element<std::int64_t, std::int16_t>(c.shape, e, data.dy, data.x);
  const std::int64_t index = spec::dw_offset(c.shape, e.g, e.co, e.kd, e.kh, e.kw, e.ci);
  return judged(c, data, promises, {index, sum.value, sum.magnitude, sum.terms}).allowed;
}

std::optional<Finding> compare_rounded(const Case& c, const Data& data, const Promises& promises,
                                       const Tensors& t) {
  const auto sums = exact_long_sums(c.shape, data.dy, data.x);
  const auto absolute = exact_long_sums(c.shape, magnitudes(data.dy), magnitudes(data.x));
  for (std::int64_t i = 0; i < spec::dw_elems(c.shape); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const spec::Element e = spec::element_at(c.shape, i);
    const std::int64_t terms = terms_of(c.shape, e);
    const auto [exact, allowed] = judged(c, data, promises, {i, sums[at], absolute[at], terms});
    const double got = load(c.dtype, t.dw, i);
    if (got >= allowed.least && got <= allowed.most) continue;
    return Finding{
        Property::rounding,
        true,
        fmt::format("an error of {:.3g} before rounding to the element type, where the {} accumulation "
                    "allows {:.3g} ({} products)",
                    std::abs(got - exact), promises.accumulator() ? "promised" : "element type's own",
                    allowed.bound, terms),
        e,
        got,
        allowed.exact};
  }
  return {};
}

}  // namespace wgradcheck::check
