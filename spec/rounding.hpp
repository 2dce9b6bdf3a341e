#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

/// What rounding a promised accumulation may do.
namespace wgradcheck::spec {

/// How products are summed: the unit roundoff of the accumulator and half its smallest subnormal. Products of
/// elements are exact in it or rounded once.
struct Accumulator {
  double unit, underflow;
  bool operator==(const Accumulator&) const = default;
};

inline constexpr Accumulator kFloatSums{0x1p-24, 0x1p-150};
inline constexpr Accumulator kHalfSums{0x1p-11, 0x1p-25};
inline constexpr Accumulator kBfloatSums{0x1p-8, 0x1p-134};
/// Half of its smallest subnormal is below every double.
inline constexpr Accumulator kDoubleSums{0x1p-53, 0};

/// Largest error of a sum of `terms` products and the addends that dW holds besides, in any order, with or
/// without fused multiply-add: (n+2) * u * magnitude + (n+2) * underflow, magnitude being the sum of the
/// absolute values of all products and addends. Subnormals kept. Source: Jeannerod and Rump, SIAM J. Matrix
/// Anal. Appl. 34 (2013), whose n*u bounds a sum of n+1 terms in any order; one more u is for a product's own
/// rounding, one for the last addend.
constexpr double sum_error_bound(const Accumulator& a, std::int64_t terms, double magnitude) {
  const double n = static_cast<double>(terms) + 2;
  return n * a.unit * magnitude + n * a.underflow;
}

/// gamma(k) = k*u / (1 - k*u), which bounds |(1+d_1)...(1+d_k) - 1| where every |d_i| is at most u; infinite
/// where k*u reaches 1. Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, lemma 3.1.
constexpr double gamma(double unit, double k) {
  return k * unit < 1 ? k * unit / (1 - k * unit) : std::numeric_limits<double>::infinity();
}

/// How products are summed, as far as it is promised.
struct Accumulation {
  Accumulator sums;
  std::int64_t height;     ///< additions that a product or addend passes through, at most
  Accumulator partials{};  ///< the narrower type that partial sums are kept in; unit 0: they are not
  double roundings = 0;    ///< to that type, of what holds one product, before the last; at most
  bool nearest = true;     ///< additions round to nearest, of which sum_error_bound speaks
};

/// Largest error of a sum of which each product and addend passes through `height` additions at most: each is
/// multiplied by height factors 1+d and one more for the product's own rounding, so gamma(height+1) *
/// magnitude; an underflow is at most doubled on its way, since gamma is at most 1 there. Source: Higham
/// 2002, section 4.2, whose error terms of a summation tree these are. Partials in a narrower type bring
/// further factors, so that the errors compose: own + gamma(roundings) * (magnitude + own). Never above
/// sum_error_bound, which holds whatever the tree where additions round to nearest and there are no narrower
/// partials.
constexpr double tree_error_bound(const Accumulation& a, std::int64_t terms, double magnitude) {
  const double n = static_cast<double>(terms) + 2, height = static_cast<double>(a.height) + 1;
  const double factors = gamma(a.sums.unit, std::min(height, n));
  const double own =
      factors <= 1 ? factors * magnitude + 2 * n * a.sums.underflow : std::numeric_limits<double>::infinity();
  if (a.partials.unit == 0) return a.nearest ? std::min(own, sum_error_bound(a.sums, terms, magnitude)) : own;
  return own + gamma(a.partials.unit, a.roundings) * (magnitude + own) +
         2 * (a.roundings + 1) * a.partials.underflow;
}

/// Largest error of an element that Winograd's F(2,3) or one of its kind computes on one or two axes:
/// (n+10) * u * (9 * n * largest + addends) + 9 * (n+10) * underflow, n being all output positions and
/// `largest` the largest |dy| times the largest |x|. With the points 0, 1, -1 and infinity the rows of the
/// transforms of dy, x and the products have absolute sums whose products add up to 6 for two positions on
/// one axis, that is 3 a position, 9 on two axes; 4 roundings are in the transforms of dy and x, 4 in that of
/// the products, 2 in the product and the last addend. Source: B. Barabasz, A. Anderson, K. Soodhalter and D.
/// Gregg, ACM Trans. Math. Softw. 46 (2020), theorem 2, with sums of absolute values for its norms.
constexpr double transform_error_bound(const Accumulator& a, std::int64_t positions, double largest,
                                       double addends) {
  const double n = static_cast<double>(positions), depth = n + 10;
  return depth * a.unit * (9 * n * largest + addends) + 9 * depth * a.underflow;
}

/// Largest error of an element that is computed by Fourier transforms of planes of `inputs` and `outputs`
/// positions: (21*log2(64*max(inputs, outputs)) + images + 8) * u * images * sqrt(inputs*outputs) * largest,
/// and u times the addends. An output of a transform is a sum whose terms pass log2 L stages, each with a
/// rounded factor, a complex product and an addition, below 7*u together; by Cauchy and Parseval the errors
/// of three transforms come to 21*log2(L)*u times the norms of the two planes, which are at most sqrt(inputs)
/// and sqrt(outputs) times their largest elements. Padding may make L 64 times as large as the larger plane;
/// 8 roundings are in the product, the scale and the last addends, `images` in their sum. Source: N. Higham,
/// Accuracy and Stability of Numerical Algorithms, 2002, section 24.1.
inline double fft_error_bound(const Accumulator& a, std::int64_t images, std::int64_t inputs,
                              std::int64_t outputs, double largest, double addends) {
  const auto planes = static_cast<double>(inputs) * static_cast<double>(outputs);
  const double stages = std::log2(64.0 * static_cast<double>(std::max(inputs, outputs)));
  const double depth = 21 * stages + static_cast<double>(images) + 8;
  return depth * (a.unit * (static_cast<double>(images) * std::sqrt(planes) * largest + addends) +
                  static_cast<double>(images) * planes * a.underflow);
}

}  // namespace wgradcheck::spec
