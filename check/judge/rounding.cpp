#include "check/judge/rounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "check/judge/number.hpp"
#include "check/judge/oracle.hpp"
#include "check/judge/pairs.hpp"
#include "spec/rounding.hpp"

namespace wgradcheck::check {
namespace {

Integers magnitudes(Integers values) {
  for (std::int16_t& v : values) v = static_cast<std::int16_t>(std::abs(v));
  return values;
}

/// Products inside the input for an element at each tap.
std::vector<std::int64_t> terms_by_tap(const spec::Shape& s) {
  std::vector<std::int64_t> terms;
  for (std::int64_t tap = 0; tap < taps_of(s); ++tap) {
    const RowPairs pairs = row_pairs(s, tap);
    terms.push_back(std::ssize(pairs.dy) * pairs.columns);
  }
  return terms;
}

/// Whether an error up to `bound` before the last rounding may give a result. Rounding is monotone, so the
/// interval's ends round to the results'.
bool allows(DType t, double exact, double bound, double got) {
  return got >= rounded(t, exact - bound) && got <= rounded(t, exact + bound);
}

/// The least error before the last rounding that gives a result.
double error_of(DType t, double exact, double got) {
  if (got == rounded(t, exact)) return 0;
  // From the middle between the result and its neighbour on, numbers round to the result.
  return std::abs((got + next_toward(t, got, exact)) / 2 - exact);
}

/// The exact value of each element and the errors that its accumulation may make.
class Bounds {
 public:
  Bounds(const Case& c, const Data& data, const Promises& promises)
      : c_(c),
        data_(data),
        promises_(promises),
        sums_(exact_long_sums(c.shape, data.dy, data.x)),
        absolute_(exact_long_sums(c.shape, magnitudes(data.dy), magnitudes(data.x))),
        terms_(terms_by_tap(c.shape)),
        columns_(spec::dw_elems(c.shape) / c.shape.out_channels),
        largest_(largest(data.dy) * largest(data.x)) {}

  std::int64_t terms(std::int64_t i) const {
    return terms_[static_cast<std::size_t>(i / spec::in_per_group(c_.shape)) % terms_.size()];
  }
  /// Integers below 2^53 on one grid: exact.
  double exact(std::int64_t i) const { return old(i) + bias(i) + scaled(sums_[static_cast<std::size_t>(i)]); }
  double direct(std::int64_t i) const {
    return spec::tree_error_bound(promises_.accumulation(c_, terms(i)), terms(i),
                                  addends(i) + scaled(absolute_[static_cast<std::size_t>(i)]));
  }
  double transform(std::int64_t i) const {
    const spec::Shape& s = c_.shape;
    const std::int64_t positions = s.batch * s.depth.output * s.height.output * s.width.output;
    return spec::transform_error_bound(promises_.accumulation(c_, terms(i)).sums, positions, scaled(largest_),
                                       addends(i));
  }

 private:
  static std::int64_t largest(const Integers& values) {
    std::int64_t most = 0;
    for (const std::int16_t v : values) most = std::max<std::int64_t>(most, std::abs(v));
    return most;
  }
  double scaled(std::int64_t sum) const { return std::ldexp(static_cast<double>(sum), -2 * data_.scale); }
  double old(std::int64_t i) const { return promises_.adds() ? data_.dw[static_cast<std::size_t>(i)] : 0; }
  double bias(std::int64_t i) const {
    if (c_.bias == Bias::none) return 0;
    return data_.bias[static_cast<std::size_t>(c_.bias == Bias::column ? i % columns_ : i / columns_)];
  }
  double addends(std::int64_t i) const { return std::abs(old(i)) + std::abs(bias(i)); }

  const Case& c_;
  const Data& data_;
  const Promises& promises_;
  std::vector<std::int64_t> sums_, absolute_, terms_;
  std::int64_t columns_, largest_;
};

}  // namespace

Allowed allowed_element(const Case& c, const Data& data, const Promises& promises, const spec::Element& e) {
  const Bounds bounds(c, data, promises);
  const std::int64_t i = spec::dw_offset(c.shape, e.g, e.co, e.kd, e.kh, e.kw, e.ci);
  const double exact = std::ldexp(bounds.exact(i), -data.tiny);
  const double bound = data.exact                            ? 0
                       : promises.is_direct().value_or(true) ? bounds.direct(i)
                                                             : bounds.transform(i);
  return {rounded(c.dw_type(), exact), rounded(c.dw_type(), exact - bound),
          rounded(c.dw_type(), exact + bound), bound};
}

bool a_transform_may_give(const Case& c, const Data& data, const Promises& promises,
                          std::span<const double> dw) {
  const Bounds bounds(c, data, promises);
  for (std::int64_t i = 0; i < std::ssize(dw); ++i)
    if (!allows(c.dtype, bounds.exact(i), bounds.transform(i), dw[static_cast<std::size_t>(i)])) return false;
  return true;
}

Rounding compare_rounded(const Case& c, const Data& data, const Promises& promises, const Tensors& t) {
  const Bounds bounds(c, data, promises);
  const bool transform = !promises.is_direct().value_or(true);
  Rounding result;
  for (std::int64_t i = 0; i < spec::dw_elems(c.shape); ++i) {
    const double got = load(c.dw_type(), t.dw, i), exact = bounds.exact(i);
    const double bound = transform ? bounds.transform(i) : bounds.direct(i);
    // NaN is infinitely wrong.
    const double part = error_of(c.dw_type(), exact, got) / bound;
    result.worst = std::max(result.worst, std::isnan(part) ? std::numeric_limits<double>::infinity() : part);
    if (allows(c.dw_type(), exact, bound, got)) continue;
    const bool counterexample =
        promises.is_direct().has_value() || !allows(c.dw_type(), exact, bounds.transform(i), got);
    if (result.finding && (result.finding->counterexample || !counterexample)) continue;
    result.finding = Finding{
        Property::rounding,
        counterexample,
        fmt::format("an error of {:.3g} before rounding to the element type, where the {} "
                    "accumulation allows {:.3g} ({} products){}",
                    error_of(c.dw_type(), exact, got),
                    promises.accumulator_bits() ? "promised" : "element type's own", bound, bounds.terms(i),
                    counterexample ? "" : "; a transform such as Winograd's may make it"),
        spec::element_at(c.shape, i),
        got,
        rounded(c.dw_type(), exact)};
  }
  return result;
}

}  // namespace wgradcheck::check
