#pragma once
#include <string_view>

#include "proofs/sym.hpp"

namespace wgradcheck::proofs {

/// A fact of all integers, proved once in obligations/lemmas.cpp and then used at particular ones. These are
/// the only nonlinear facts that a proof may use.
template <class Truth>
struct Lemma {
  std::string_view name;
  Truth truth;
};

template <class Truth>
Lemma(const char*, Truth) -> Lemma<Truth>;

/// The product of numbers that are not negative is not negative.
template <class Int>
auto product(const Int& a, const Int& b) {
  return Lemma{"product", implies(0 <= a && 0 <= b, 0 <= a * b)};
}

/// The product of numbers that are at least 1 is at least 1.
template <class Int>
auto positive(const Int& a, const Int& b) {
  return Lemma{"positive", implies(1 <= a && 1 <= b, 1 <= a * b)};
}

/// A product grows with its factor.
template <class Int>
auto monotone(const Int& a, const Int& b, const Int& factor) {
  return Lemma{"monotone", implies(a <= b && 0 <= factor, a * factor <= b * factor)};
}

/// Equals times equals.
template <class Int>
auto times(const Int& a, const Int& b, const Int& factor) {
  return Lemma{"times", implies(a == b, a * factor == b * factor)};
}

/// A number written as high * radix + low lies below highs * radix when its digits lie below their bounds.
template <class Int>
auto digits(const Int& high, const Int& highs, const Int& low, const Int& radix) {
  const Int number = high * radix + low;
  return Lemma{"digits", implies(0 <= high && high < highs && 0 <= low && low < radix,
                                 0 <= number && number < highs * radix)};
}

/// A number has one way to be written as high * radix + low.
template <class Int>
auto same_digits(const Int& high, const Int& low, const Int& high2, const Int& low2, const Int& radix) {
  return Lemma{"same_digits", implies(0 <= low && low < radix && 0 <= low2 && low2 < radix &&
                                          high * radix + low == high2 * radix + low2,
                                      high == high2 && low == low2)};
}

/// What is at most a quotient is what fits that often: the two properties that define floor division.
template <class Int>
auto quotient(const Int& p, const Int& a, const Int& b) {
  return Lemma{"quotient", implies(1 <= b, iff(p * b <= a, p <= spec::floor_div(a, b)))};
}

}  // namespace wgradcheck::proofs
