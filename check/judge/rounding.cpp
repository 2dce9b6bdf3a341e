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

/// The products inside the input of an element at one tap, and how they are summed.
struct Way {
  std::int64_t terms;
  spec::Accumulation accumulation;
};

std::vector<Way> ways_by_tap(const Case& c, const Promises& promises) {
  std::vector<Way> ways;
  for (std::int64_t tap = 0; tap < taps_of(c.shape); ++tap) {
    const RowPairs pairs = row_pairs(c.shape, tap);
    const std::int64_t terms = std::ssize(pairs.dy) * pairs.columns;
    ways.push_back({terms, promises.accumulation(c, terms)});
  }
  return ways;
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

std::int64_t largest(const Integers& values) {
  std::int64_t most = 0;
  for (const std::int16_t v : values) most = std::max<std::int64_t>(most, std::abs(v));
  return most;
}

double fft_bound(const Case& c, const spec::Accumulator& sums, double largest, double addends) {
  const spec::Shape& s = c.shape;
  return spec::fft_error_bound(sums, s.batch, s.depth.input * s.height.input * s.width.input,
                               s.depth.output * s.height.output * s.width.output, largest, addends);
}

/// The exact value of each element and the errors that its accumulation may make.
class Bounds {
 public:
  Bounds(const Case& c, const Data& data, const Promises& promises)
      : c_(c),
        data_(data),
        adds_(promises.adds()),
        direct_(promises.is_direct()),
        fft_(promises.is_fft()),
        sums_(exact_long_sums(c.shape, data.dy, data.x)),
        absolute_(exact_long_sums(c.shape, magnitudes(data.dy), magnitudes(data.x))),
        ways_(ways_by_tap(c, promises)),
        columns_(spec::dw_elems(c.shape) / c.shape.out_channels),
        largest_(largest(data.dy) * largest(data.x)) {}

  std::int64_t terms(std::int64_t i) const { return way(i).terms; }
  /// Integers below 2^53 on one grid: exact.
  double exact(std::int64_t i) const { return old(i) + bias(i) + scaled(sums_[static_cast<std::size_t>(i)]); }
  /// The bound of the promised algorithm, or of direct sums where none is promised.
  double promised(std::int64_t i) const { return direct_.value_or(true) ? direct(i) : transform(i); }
  /// The bound of any algorithm that no promise excludes.
  double any(std::int64_t i) const { return direct_ ? promised(i) : std::max(direct(i), transform(i)); }
  double transform(std::int64_t i) const {
    const spec::Accumulator& sums = way(i).accumulation.sums;
    return fft_ ? fft_bound(c_, sums, scaled(largest_), addends(i))
                : spec::transform_error_bound(sums, positions_of(c_), scaled(largest_), addends(i));
  }

 private:
  const Way& way(std::int64_t i) const {
    return ways_[static_cast<std::size_t>(i / spec::in_per_group(c_.shape)) % ways_.size()];
  }
  double direct(std::int64_t i) const {
    return spec::tree_error_bound(way(i).accumulation, terms(i),
                                  addends(i) + scaled(absolute_[static_cast<std::size_t>(i)]));
  }
  double scaled(std::int64_t sum) const { return std::ldexp(static_cast<double>(sum), -2 * data_.scale); }
  double old(std::int64_t i) const { return adds_ ? data_.dw[static_cast<std::size_t>(i)] : 0; }
  double bias(std::int64_t i) const {
    if (c_.bias == Bias::none) return 0;
    return data_.bias[static_cast<std::size_t>(c_.bias == Bias::column ? i % columns_ : i / columns_)];
  }
  double addends(std::int64_t i) const { return std::abs(old(i)) + std::abs(bias(i)); }

  const Case& c_;
  const Data& data_;
  bool adds_;
  std::optional<bool> direct_;
  bool fft_;
  std::vector<std::int64_t> sums_, absolute_;
  std::vector<Way> ways_;  ///< by tap
  std::int64_t columns_, largest_;
};

/// The error that a result shows, in words.
std::string error_in_words(DType t, double exact, double got) {
  if (std::isnan(got)) return "NaN";
  return fmt::format("an error of {:.3g}", error_of(t, exact, got));
}

}  // namespace

std::vector<Allowed> allowed_elements(const Case& c, const Data& data, const Promises& promises,
                                      std::span<const std::int64_t> indices) {
  const Bounds bounds(c, data, promises);
  std::vector<Allowed> allowed;
  for (const std::int64_t i : indices) {
    const double exact = std::ldexp(bounds.exact(i), -data.tiny);
    const double bound = data.exact ? 0 : bounds.promised(i);
    allowed.push_back({rounded(c.dw_type(), exact), rounded(c.dw_type(), exact - bound),
                       rounded(c.dw_type(), exact + bound), bound});
  }
  return allowed;
}

bool a_transform_may_give(const Case& c, const Data& data, const Promises& promises,
                          std::span<const double> dw) {
  const Bounds bounds(c, data, promises);
  for (std::int64_t i = 0; i < std::ssize(dw); ++i)
    if (!allows(c.dw_type(), bounds.exact(i), bounds.transform(i), dw[static_cast<std::size_t>(i)]))
      return false;
  return true;
}

void settle(const Case& c, const Data& data, const Promises& promises, std::span<std::byte> dw) {
  if (!promises.is_fft() || !data.exact || data.tiny != 0) return;
  constexpr double kLess = 0.49;  // another integer is never taken for it
  const auto terms = positions_of(c);
  const double addends = static_cast<double>((promises.adds() ? largest(data.dw) : 0) + largest(data.bias));
  const double bound = fft_bound(c, promises.accumulation(c, terms).sums,
                                 static_cast<double>(largest(data.dy) * largest(data.x)), addends);
  for (std::int64_t i = 0; i < spec::dw_elems(c.shape); ++i) {
    const double got = load(c.dw_type(), dw, i), integer = std::nearbyint(got);
    if (std::abs(got - integer) <= std::min(bound, kLess)) store(c.dw_type(), dw, i, integer);
  }
}

Rounding compare_rounded(const Case& c, const Data& data, const Promises& promises, const Tensors& t) {
  const Bounds bounds(c, data, promises);
  Rounding result;
  for (std::int64_t i = 0; i < spec::dw_elems(c.shape); ++i) {
    const double got = load(c.dw_type(), t.dw, i), exact = bounds.exact(i);
    const double bound = bounds.promised(i);
    // NaN is infinitely wrong.
    const double part = error_of(c.dw_type(), exact, got) / bound;
    result.worst = std::max(result.worst, std::isnan(part) ? std::numeric_limits<double>::infinity() : part);
    if (allows(c.dw_type(), exact, bound, got)) continue;
    const bool counterexample = !allows(c.dw_type(), exact, bounds.any(i), got);
    if (result.finding && (result.finding->counterexample || !counterexample)) continue;
    result.finding =
        Finding{Property::rounding,
                counterexample,
                fmt::format("{} before rounding to the element type, where the {} accumulation allows {:.3g} "
                            "({} product{}){}",
                            error_in_words(c.dw_type(), exact, got),
                            promises.accumulator_bits() ? "promised" : "element type's own", bound,
                            bounds.terms(i), bounds.terms(i) == 1 ? "" : "s",
                            counterexample ? "" : "; a transform such as Winograd's may make it"),
                spec::element_at(c.shape, i),
                got,
                rounded(c.dw_type(), exact)};
  }
  return result;
}

}  // namespace wgradcheck::check
