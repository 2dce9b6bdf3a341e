#pragma once
#include <cstdint>

/// What the documents' formulas mean, and nothing of how a kernel computes them.
namespace wgradcheck::spec {

/// What an index formula may do with an integer besides `+ - *` and comparison. Specialised for each reading:
/// int64_t (run), Checked<T> (overflow), Sym (proof). `/` and `%` never appear in a formula: C++ rounds
/// towards zero, SMT-LIB does not.
template <class Int>
struct Arith;

template <>
struct Arith<std::int64_t> {
  /// Largest q with q * b <= a. Requires b > 0.
  static std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
  /// a where the condition holds, else b; both are evaluated.
  static std::int64_t pick(bool condition, std::int64_t a, std::int64_t b) { return condition ? a : b; }
};

/// Largest q with q * b <= a. Requires b > 0.
template <class Int>
Int floor_div(const Int& a, const Int& b) {
  return Arith<Int>::floor_div(a, b);
}

/// Smallest q with q * b >= a. Requires b > 0. Unlike (a + b - 1) / b it forms nothing larger than a.
template <class Int>
Int ceil_div(const Int& a, const Int& b) {
  return Int(0) - Arith<Int>::floor_div(Int(0) - a, b);
}

template <class Int>
Int min(const Int& a, const Int& b) {
  return Arith<Int>::pick(b < a, b, a);
}

template <class Int>
Int max(const Int& a, const Int& b) {
  return Arith<Int>::pick(a < b, b, a);
}

}  // namespace wgradcheck::spec
