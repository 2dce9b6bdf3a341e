#pragma once
#include <cstdint>

/// What rounding a promised accumulation may do.
namespace wgradcheck::spec {

/// How products are summed: the unit roundoff of the accumulator and half its smallest subnormal. Products of
/// elements are exact in it or rounded once.
struct Accumulator {
  double unit, underflow;
};

inline constexpr Accumulator kFloatSums{0x1p-24, 0x1p-150};
inline constexpr Accumulator kHalfSums{0x1p-11, 0x1p-25};
inline constexpr Accumulator kBfloatSums{0x1p-8, 0x1p-134};

/// Largest error of a sum of `terms` products and the addends that dW holds besides, in any order, with or
/// without fused multiply-add: (n+2) * u * magnitude + (n+2) * underflow, magnitude being the sum of the
/// absolute values of all products and addends. Subnormals kept. Source: Jeannerod and Rump, SIAM J. Matrix
/// Anal. Appl. 34 (2013), whose n*u bounds a sum of n+1 terms in any order; one more u is for a product's own
/// rounding, one for the last addend.
constexpr double sum_error_bound(const Accumulator& a, std::int64_t terms, double magnitude) {
  const double n = static_cast<double>(terms) + 2;
  return n * a.unit * magnitude + n * a.underflow;
}

}  // namespace wgradcheck::spec
