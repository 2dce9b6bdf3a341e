#pragma once
#include <initializer_list>
#include <span>

#include "proofs/given.hpp"

namespace wgradcheck::proofs {

/// A digit of a mixed-radix number and its radix.
template <class Int>
struct Digit {
  Int value, radix;
};

/// The steps that show a number inside, digit after digit, given that a number of the digits before is below
/// their bound.
template <class Reading, class Int>
void use_digits(Reading& p, const Int& number, const Int& bound, std::span<const Digit<Int>> rest) {
  if (rest.empty()) return;
  const auto& [value, radix] = rest.front();
  p.use(digits(number, bound, value, radix));
  use_digits(p, number * radix + value, bound * radix, rest.subspan(1));
}

/// The steps that show a number inside where each of its digits, highest first, is below its radix.
template <class Reading>
void use_digits(Reading& p, std::initializer_list<Digit<IntOf<Reading>>> all) {
  const std::span<const Digit<IntOf<Reading>>> span(all.begin(), all.size());
  use_digits(p, span.front().value, span.front().radix, span.subspan(1));
}

/// The product of the radices: what a step of the digit before them counts.
template <class Int>
Int stride_of(std::span<const Digit<Int>> all) {
  return all.empty() ? Int(1) : all.front().radix * stride_of(all.subspan(1));
}

template <class Int>
Int place_of(std::span<const Digit<Int>> all) {
  return all.empty() ? Int(0) : all.front().value * stride_of(all.subspan(1)) + place_of(all.subspan(1));
}

/// Claims that a number is the sum of its digits, highest first, each times its stride.
template <class Reading>
void claim_place(Reading& p, const IntOf<Reading>& number, std::initializer_list<Digit<IntOf<Reading>>> all) {
  p.claim("the sum of its coordinates times their strides",
          number == place_of(std::span<const Digit<IntOf<Reading>>>(all.begin(), all.size())));
}

/// The steps that show floor(a / b) to be q.
template <class Reading, class Int>
void claim_quotient(Reading& p, const Int& q, const Int& a, const Int& b) {
  p.use(quotient(q, a, b));
  p.use(quotient(q + 1, a, b));
  p.claim("floor division undoes a digit", spec::floor_div(a, b) == q);
  p.use(times(spec::floor_div(a, b), q, b));
}

}  // namespace wgradcheck::proofs
