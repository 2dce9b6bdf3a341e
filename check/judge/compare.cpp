#include "check/judge/compare.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "check/judge/certified.hpp"
#include "check/judge/clones.hpp"
#include "check/judge/holds.hpp"
#include "check/judge/identity.hpp"
#include "check/judge/localise.hpp"
#include "check/judge/number.hpp"
#include "check/judge/oracle.hpp"
#include "check/judge/pairs.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kLarge = 1 << 22;  ///< products from which the identity is cheaper than the plain sum
constexpr std::int64_t kWorth = std::int64_t{1} << 30;  ///< products of plain sums spent on a wrong dW

WGRADCHECK_FOR_EACH_CPU
void add(const std::int16_t* values, std::int32_t factor, std::int64_t count, std::int32_t* __restrict to) {
  for (std::int64_t i = 0; i < count; ++i) to[i] += factor * values[i];
}

/// What elements of dW hold besides their sums: the old value and the bias.
class Before {
 public:
  Before(const Case& c, const Data& data, const Promises& promises)
      : c_(c),
        data_(data),
        adds_(promises.adds()),
        columns_(spec::dw_elems(c.shape) / c.shape.out_channels) {}

  /// The old values, where the kernel adds to them.
  std::span<const std::int16_t> old() const {
    return adds_ ? std::span<const std::int16_t>(data_.dw) : std::span<const std::int16_t>();
  }

  /// Adds factor times that to elements [first, first + count).
  void add_to(std::int64_t first, std::int64_t count, std::int32_t factor, std::int32_t* to) const {
    if (adds_) add(data_.dw.data() + first, factor, count, to);
    if (c_.bias == Bias::none) return;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t at = first + i;
      to[i] += factor *
               data_.bias[static_cast<std::size_t>(c_.bias == Bias::column ? at % columns_ : at / columns_)];
    }
  }

 private:
  const Case& c_;
  const Data& data_;
  bool adds_;
  std::int64_t columns_;
};

/// The integers that floats hold. One that is not an integer below 2^24 in magnitude gives a number that no
/// sum of exact data reaches.
WGRADCHECK_FOR_EACH_CPU
void to_integers(const float* __restrict floats, std::int64_t count, std::int32_t* __restrict to) {
  constexpr std::int32_t kNever = 3 << 23;
  for (std::int64_t i = 0; i < count; ++i) {
    // Without a branch, so that it becomes vector code; larger numbers and NaN are converted as 0.
    const auto bits = std::bit_cast<std::int32_t>(floats[i]);
    const std::int32_t small = -static_cast<std::int32_t>((bits & 0x7fffffff) < 0x4b800000);
    const auto integer = static_cast<std::int32_t>(std::bit_cast<float>(bits & small));
    const auto back = std::bit_cast<std::uint32_t>(static_cast<float>(integer));
    // A zero may have a sign.
    to[i] = (back ^ static_cast<std::uint32_t>(bits)) << 1 ? kNever : integer;
  }
}

/// The sums that a dW would be right with.
std::vector<std::int32_t> claimed_sums(std::span<const float> dw, const Before& before) {
  std::vector<std::int32_t> sums(dw.size());
  to_integers(dw.data(), std::ssize(dw), sums.data());
  before.add_to(0, std::ssize(dw), -1, sums.data());
  return sums;
}

/// Equal, zeros of either sign alike; NaN equals nothing.
bool same(double got, double expected) { return got == expected; }

/// Counts wrong elements, in dW's order.
class Tally {
 public:
  Tally(const Case& c, const Data& data, const Tensors& t) : c_(c), data_(data), dw_(t.dw) {}

  void look(std::int64_t i, double expected) {
    const double got = load(c_.dw_type(), dw_, i);
    if (!same(got, expected)) add(i, got, expected);
  }
  void add(std::int64_t i, double got, double expected) {
    ++wrong_;
    untouched_ += same(got, std::ldexp(data_.dw[static_cast<std::size_t>(i)], -data_.tiny));
    no_number_ += std::isnan(got);
    if (!finding_.element) {
      finding_.element = spec::element_at(c_.shape, i);
      finding_.got = got;
      finding_.expected = expected;
    }
  }
  std::int64_t wrong() const { return wrong_; }

  /// Nothing where no element is wrong; `at_least` where not all were looked at.
  std::optional<Finding> finding(bool at_least = false) {
    if (!wrong_) return {};
    finding_.detail = how_many(at_least ? "at least " : "");
    // A single element may hold its old value by chance.
    if (untouched_ == wrong_ && wrong_ > 1 && !at_least) finding_.detail += ", all left as they were";
    // What may not be read before it is written holds NaN.
    if (no_number_)
      finding_.detail += fmt::format("; {} NaN, as from a byte that nothing was written to",
                                     no_number_ < wrong_ ? fmt::format("{} of them", no_number_)
                                     : wrong_ == 1       ? "it is"
                                                         : "all are");
    else if (const std::int64_t odd = c_.dw_type() == DType::f32 && data_.tiny == 0 ? not_integers() : 0)
      finding_.detail += fmt::format("; {} no integer below 2^24 in magnitude, as every sum here is",
                                     data_.dw.size() == 1 ? "it is"
                                     : odd == 1           ? "one element is"
                                                          : fmt::format("{} elements are", odd));
    return finding_;
  }

 private:
  std::string how_many(const char* at_least) const {
    if (data_.dw.size() == 1) return "the one element of dW is wrong";
    return fmt::format("{}{} of {} elements of dW {} wrong", at_least, wrong_, data_.dw.size(),
                       wrong_ == 1 ? "is" : "are");
  }
  std::int64_t not_integers() const {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < std::ssize(data_.dw); ++i) {
      const double got = load(c_.dw_type(), dw_, i);
      count += !(std::abs(got) < 0x1p24) || got != std::trunc(got);
    }
    return count;
  }

  const Case& c_;
  const Data& data_;
  std::span<const std::byte> dw_;
  Finding finding_;
  std::int64_t wrong_ = 0, untouched_ = 0, no_number_ = 0;
};

/// What is wrong with an element of data some of whose elements are Inf, NaN or -0.
std::string special_in_words(const Data& data, const Finding& f) {
  if (!std::isnan(f.expected)) {
    if (is_of_zeros(data)) return "-0 in dy or x does not count as 0";
    if (std::isfinite(f.got)) return "an element that no Inf or NaN reaches is wrong beside them";
    if (!data.dw_special.empty()) return "Inf or NaN that dW held stays, though its sum is stored over it";
    return data.dy_special.empty() ? "Inf or NaN in x reaches elements whose sums do not have it"
                                   : "Inf or NaN in dy reaches taps that lie in the padding";
  }
  return "Inf or NaN does not arrive where the formula says";
}

/// Every element against the exact value, some elements of dy or x being Inf, NaN or -0.
std::optional<Finding> compare_special(const Case& c, const Data& data, const Promises& promises,
                                       const Tensors& t) {
  const std::vector<double> expected = expected_dw(c, data, promises);
  const std::vector<bool> reached = meets_non_finite(c.shape, data, promises.adds());
  // Padding that is multiplied passes Inf and NaN on, which no document forbids.
  const bool excusable = !promises.skips_padding() && !is_of_zeros(data) && data.dw_special.empty();
  Tally wrong(c, data, t), excused(c, data, t);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const double got = load(c.dw_type(), t.dw, at);
    if (!reached[i])
      (excusable && !std::isfinite(got) ? excused : wrong).look(at, expected[i]);
    else if (std::isfinite(got))
      wrong.add(at, got, std::nan(""));
  }
  auto finding = wrong.finding();
  const bool counterexample = finding.has_value();
  if (!finding) finding = excused.finding();
  if (!finding) return {};
  finding->property = Property::nonfinite;
  finding->counterexample = counterexample;
  finding->detail = special_in_words(data, *finding);
  return finding;
}

/// Every element against the exact value, x and dW holding subnormal numbers.
std::optional<Finding> compare_subnormal(const Case& c, const Data& data, const Promises& promises,
                                         const Tensors& t) {
  const std::vector<double> expected = expected_dw(c, data, promises);
  Tally tally(c, data, t);
  for (std::size_t i = 0; i < expected.size(); ++i) tally.look(static_cast<std::int64_t>(i), expected[i]);
  auto finding = tally.finding();
  if (!finding) return {};
  finding->property = Property::rounding;
  finding->counterexample = promises.keeps_subnormals() == true;
  finding->detail = "subnormal numbers are not kept as the element type has them";
  return finding;
}

/// The wrong elements of rows of which each holds one, until more plain sums are not worth their time.
std::optional<Finding> compare_rows(const Case& c, const Data& data, const Before& before, const Tensors& t,
                                    std::span<const std::int64_t> rows) {
  const std::int64_t ins = spec::in_per_group(c.shape),
                     cost = spec::products(c.shape) / (spec::dw_elems(c.shape) / ins);
  Tally tally(c, data, t);
  std::int64_t spent = 0;
  for (const std::int64_t row : rows) {
    if (tally.wrong() && spent > kWorth) return tally.finding(true);
    std::vector<std::int32_t> values = exact_row(c.shape, data.dy, data.x, row);
    before.add_to(row * ins, ins, 1, values.data());
    for (std::int64_t i = 0; i < ins; ++i)
      tally.look(row * ins + i, rounded(c.dw_type(), values[static_cast<std::size_t>(i)]));
    spent += cost;
  }
  return tally.finding();
}

/// The exact sums of a shape by the quicker way.
std::vector<std::int32_t> quick_sums(const spec::Shape& s, const Integers& dy, const Integers& x) {
  if (spec::products(s) >= kLarge && !is_channelwise(s))
    if (auto sums = certified_sums(s, dy, x)) return std::move(*sums);
  return exact_sums(s, dy, x);
}

std::vector<std::int32_t> exact_values(const Case& c, const Data& data, const Before& before) {
  std::vector<std::int32_t> values = quick_sums(c.shape, data.dy, data.x);
  before.add_to(0, std::ssize(values), 1, values.data());
  return values;
}

}  // namespace

std::vector<double> expected_dw(const Case& c, const Data& data, const Promises& promises) {
  std::vector<double> expected;
  for (const std::int32_t value : exact_values(c, data, {c, data, promises}))
    expected.push_back(rounded(c.dw_type(), std::ldexp(value, -data.tiny)));
  return expected;
}

std::optional<Finding> compare_dw(const Case& c, const Data& data, const Promises& promises,
                                  const Tensors& t) {
  if (is_special(data)) return compare_special(c, data, promises, t);
  if (data.tiny != 0) return compare_subnormal(c, data, promises, t);
  const Before before(c, data, promises);
  if (c.dw_type() == DType::f32 && spec::products(c.shape) >= kLarge && !is_channelwise(c.shape)) {
    const std::span dw(reinterpret_cast<const float*>(t.dw.data()), data.dw.size());
    if (c.bias == Bias::none &&
        are_exact_sums(c.shape, data.dy, data.x, {.sums = {}, .dw = dw, .old = before.old()}))
      return {};
    const std::vector<std::int32_t> sums = claimed_sums(dw, before);
    if (c.bias != Bias::none && are_exact_sums(c.shape, data.dy, data.x, {.sums = sums, .dw = {}, .old = {}}))
      return {};
    if (auto finding = compare_rows(c, data, before, t, wrong_rows(c.shape, data.dy, data.x, sums)))
      return finding;
  }
  const std::vector<std::int32_t> values = exact_values(c, data, before);
  if (holds(c.dw_type(), t.dw, values)) return {};
  Tally tally(c, data, t);
  for (std::size_t i = 0; i < values.size(); ++i)
    tally.look(static_cast<std::int64_t>(i), rounded(c.dw_type(), values[i]));
  return tally.finding();
}

}  // namespace wgradcheck::check
