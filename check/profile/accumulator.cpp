#include "check/profile/accumulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "check/judge/number.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

/// Numbers in units of a small product, 2^-14 in binary16, so that much larger ones fit.
class Units {
 public:
  explicit Units(DType t) : place_(t == DType::f16 ? -14 : 0) {}

  double unit() const { return std::ldexp(1.0, place_); }
  /// A product of value * 2^power units, value being exact in 3 bits.
  Factors product(double value, int power) const {
    const int at = power + place_;
    // Halves round towards minus infinity, so that both factors are within binary16's range.
    const int half = at >> 1;
    return {std::ldexp(value, at - half), std::ldexp(1.0, half)};
  }

 private:
  int place_;
};

/// The largest k such that 2^k units fit.
int most_power(DType t) { return t == DType::f16 ? 43 : 120; }

/// The results, in units, of three products in every order; NaN where the kernel did not return.
class Sums {
 public:
  Sums(const Probe& probe, const LineKind& kind, const Units& units)
      : probe_(probe), line_(line_of(probe, kind)), units_(units) {}

  void add(std::vector<Factors> products) {
    std::vector<std::size_t> order(products.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    do {
      std::vector<Factors> some;
      for (const std::size_t i : order) some.push_back(products[i]);
      questions_.push_back(with_products(line_, some));
    } while (std::next_permutation(order.begin(), order.end()));
    ends_.push_back(questions_.size());
  }
  /// The results of each sum that was added, in turn.
  std::vector<std::set<double>> results() {
    const std::vector<Reply> replies = probe_.ask(questions_);
    std::vector<std::set<double>> all;
    std::size_t at = 0;
    for (const std::size_t end : ends_) {
      std::set<double> some;
      for (; at < end; ++at) {
        const double value = replies[at].element(line_.element) / units_.unit();
        // NaN has no order.
        some.insert(std::isnan(value) ? INFINITY : value);
      }
      all.push_back(std::move(some));
    }
    return all;
  }
  std::string shape() const { return spec::to_line(line_.test.shape); }

 private:
  const Probe& probe_;
  Line line_;
  const Units& units_;
  std::vector<Question> questions_;
  std::vector<std::size_t> ends_;
};

/// The places of sums at which M + b lies between two numbers, M = 2^bits units, in the order of kModes.
struct Between {
  double b;
  std::array<double, 5> becomes;  ///< M + this
};

constexpr std::array kBetween{Between{1, {0, 2, 0, 2, 0}}, Between{3, {4, 4, 2, 4, 2}},
                              Between{-1, {0, -2, 0, 0, -2}}, Between{-3, {-4, -4, -2, -2, -4}}};

/// The mode that explains every result; a negative b goes with -M.
std::optional<RoundingMode> mode_of(std::span<const std::optional<double>> results) {
  std::optional<RoundingMode> found;
  for (std::size_t mode = 0; mode < 5; ++mode) {
    bool fits = true;
    for (std::size_t i = 0; i < kBetween.size(); ++i) fits &= results[i] == kBetween[i].becomes[mode];
    if (fits) found = static_cast<RoundingMode>(mode);
  }
  return found;
}

/// Bits of the accumulator; nothing where no sum lost a unit.
std::optional<int> bits_of(const Probe& probe, const LineKind& kind, const Units& units) {
  Sums sums(probe, kind, units);
  const int most = most_power(probe.dtype());
  constexpr int kLeast = 3;
  for (int k = kLeast; k <= most; ++k)
    sums.add({units.product(1, k), units.product(1, 0), -units.product(1, k)});
  const auto results = sums.results();
  for (int k = kLeast; k <= most; ++k)
    if (results[static_cast<std::size_t>(k - kLeast)] != std::set<double>{1}) return k;
  return {};
}

std::optional<RoundingMode> mode_of_sums(const Probe& probe, const LineKind& kind, const Units& units,
                                         int bits) {
  Sums sums(probe, kind, units);
  for (const Between& one : kBetween) {
    const double sign = one.b < 0 ? -1 : 1;
    sums.add({units.product(sign, bits), units.product(one.b, 0), units.product(-sign, bits)});
  }
  std::vector<std::optional<double>> seen;
  const auto results = sums.results();
  for (std::size_t i = 0; i < kBetween.size(); ++i) {
    std::set<double> some = results[i];
    some.erase(kBetween[i].b);
    seen.push_back(some.size() == 1 ? std::optional(*some.begin()) : std::nullopt);
  }
  return mode_of(seen);
}

/// The mode of the last rounding, to `bits`, of a wider sum.
std::optional<RoundingMode> mode_of_result(const Probe& probe, const LineKind& kind, const Units& units,
                                           int bits) {
  Sums sums(probe, kind, units);
  for (const Between& one : kBetween)
    sums.add({units.product(one.b < 0 ? -1 : 1, bits), units.product(one.b, 0)});
  std::vector<std::optional<double>> seen;
  const auto results = sums.results();
  for (std::size_t i = 0; i < kBetween.size(); ++i) {
    const double large = std::ldexp(kBetween[i].b < 0 ? -1.0 : 1.0, bits);
    seen.push_back(results[i].size() == 1 ? std::optional(*results[i].begin() - large) : std::nullopt);
  }
  return mode_of(seen);
}

/// Whether products enter the sum unrounded: (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, and 0 where the square was
/// rounded to 24 bits first.
std::optional<bool> is_fused(const Probe& probe, const LineKind& kind) {
  const Units units(DType::f32);
  Sums sums(probe, kind, units);
  const double a = 1 + 0x1p-12;
  sums.add({{a, a}, {-(1 + 0x1p-11), 1}});
  const std::set<double> results = sums.results().front();
  if (results.contains(0x1p-24)) return true;
  return results == std::set<double>{0} ? std::optional(false) : std::nullopt;
}

const char* type_name(int bits) {
  switch (bits) {
    case 8:
      return "bf16";
    case 11:
      return "f16";
    case 24:
      return "f32";
    case 53:
      return "f64";
    case 64:
      return "f80";
    default:
      return nullptr;
  }
}

std::string in_words(RoundingMode m) {
  constexpr const char* kNames[]{"to nearest even", "to nearest, ties away", "toward zero", "up", "down"};
  return kNames[static_cast<int>(m)];
}

/// Whether 1 and 16 channels, which vector code may treat apart, tell the same.
template <class T, class Learn>
std::optional<T> agreed(const LineKind& kind, Learn learn) {
  LineKind wide = kind;
  wide.wide = true;
  const std::optional<T> one = learn(kind), other = learn(wide);
  return one == other ? one : std::nullopt;
}

}  // namespace

Accumulator learn_accumulator(const Probe& probe, spec::Path path) {
  const DType t = probe.dtype();
  const Units units(t);
  const LineKind three{.path = path, .terms = 3}, two{.path = path, .terms = 2};
  LineKind wide = three;
  wide.wide = true;
  Accumulator a;
  const auto one = bits_of(probe, three, units), sixteen = bits_of(probe, wide, units);
  // The narrower of the two holds of both.
  a.bits = one && sixteen ? std::optional(std::min(*one, *sixteen)) : std::nullopt;
  Fact sum{"accumulator", {}, {}, "rows of 2 and 3, 1 and 16 channels", {}};
  for (const LineKind& kind : {two, three, wide})
    sum.shapes.push_back(spec::to_line(line_of(probe, kind).test.shape));
  const auto fact = [&sum](const char* name, const std::string& answer, const char* why) {
    return Fact{name, answer, answer.empty() ? why : "", sum.on, sum.shapes};
  };
  if (a.bits) {
    a.sums = agreed<RoundingMode>(three,
                                  [&](const LineKind& k) { return mode_of_sums(probe, k, units, *a.bits); });
    const char* const name = type_name(*a.bits);
    sum.answer = name ? name : fmt::format("{} bits", *a.bits);
    if (*one != *sixteen) sum.answer += fmt::format(" ({} bits in 1 channel, {} in 16)", *one, *sixteen);
  } else {
    sum.why = fmt::format("a unit was lost in no sum with up to 2^{} of them, in {} channels", most_power(t),
                          one ? "16" : "1");
  }
  a.facts.push_back(sum);
  if (!a.bits) return a;
  constexpr const char* kNoMode = "the results fit none of the five modes, or differ by channels";
  a.facts.push_back(fact("rounding", a.sums ? in_words(*a.sums) : "", kNoMode));
  if (t == DType::f32 && *a.bits == 24) {
    a.fused = agreed<bool>(two, [&](const LineKind& k) { return is_fused(probe, k); });
    a.facts.push_back(fact("products",
                           !a.fused   ? ""
                           : *a.fused ? "fused with the addition"
                                      : "rounded before the addition",
                           "it differs between 1 and 16 channels"));
  }
  const int bits = significant_bits(t);
  if (*a.bits > bits + 1) {
    a.last = agreed<RoundingMode>(
        two, [&](const LineKind& k) { return mode_of_result(probe, k, Units(t), bits); });
    a.facts.push_back(fact("last_rounding", a.last ? in_words(*a.last) : "", kNoMode));
  }
  return a;
}

Subnormals learn_subnormals(const Probe& probe, spec::Path path, bool adds) {
  const DType t = probe.dtype();
  // Powers of the factors of a subnormal result, and of a subnormal x with the dy that makes it normal.
  struct Powers {
    int dy, x, large, subnormal;
  };
  const Powers p = t == DType::f32   ? Powers{-75, -70, 100, -140}
                   : t == DType::f16 ? Powers{-10, -10, 8, -20}
                                     : Powers{-70, -60, 100, -130};
  const Line line = line_of(probe, {.path = path});
  const auto power = [](int k) { return std::ldexp(1.0, k); };
  std::vector<Question> questions{with_products(line, {{power(p.dy), power(p.x)}}),
                                  with_products(line, {{power(p.large), power(p.subnormal)}})};
  std::vector<double> expected{power(p.dy + p.x), power(p.large + p.subnormal)};
  if (adds) {
    questions.push_back(with_products(line, {{0, 0}}, power(p.subnormal)));
    expected.push_back(power(p.subnormal));
  }
  const std::vector<Reply> replies = probe.ask(questions);
  std::vector<std::string> kept, flushed;
  constexpr const char* kWhat[]{"results", "inputs", "dW"};
  Subnormals s{{}, {"subnormals", {}, {}, "one product", {spec::to_line(line.test.shape)}}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double got = replies[i].element(line.element);
    if (got == expected[i])
      kept.emplace_back(kWhat[i]);
    else if (got == 0)
      flushed.emplace_back(kWhat[i]);
    else
      s.fact.why = fmt::format("a subnormal sum is neither kept nor 0 but {:g}", got);
  }
  if (!s.fact.clear()) return s;
  if (flushed.empty()) s.kept = true;
  if (!flushed.empty()) s.kept = false;
  s.fact.answer = flushed.empty() ? "kept" : "flushed to 0";
  if (!flushed.empty() && !kept.empty()) {
    s.fact.answer += " as ";
    for (const std::string& what : flushed) s.fact.answer += (what == flushed.front() ? "" : " and ") + what;
  }
  return s;
}

}  // namespace wgradcheck::check
