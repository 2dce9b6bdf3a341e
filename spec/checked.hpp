#pragma once
#include <concepts>
#include <cstdint>
#include <stdexcept>

#include "spec/arith.hpp"

namespace wgradcheck::spec {

/// Thrown where a Checked<T> would leave T's range.
struct Overflow : std::overflow_error {
  Overflow() : std::overflow_error("an integer left its range") {}
};

/// The overflow-checked reading of a formula: a T whose every operation throws Overflow instead of wrapping.
template <std::signed_integral T>
class Checked {
 public:
  /// Throws Overflow when the value does not fit T.
  Checked(std::int64_t value) : value_(static_cast<T>(value)) {
    if (static_cast<std::int64_t>(value_) != value) throw Overflow();
  }
  T value() const { return value_; }

  friend Checked operator+(Checked a, Checked b) {
    return a.with(b, [](T x, T y, T* r) { return __builtin_add_overflow(x, y, r); });
  }
  friend Checked operator-(Checked a, Checked b) {
    return a.with(b, [](T x, T y, T* r) { return __builtin_sub_overflow(x, y, r); });
  }
  friend Checked operator*(Checked a, Checked b) {
    return a.with(b, [](T x, T y, T* r) { return __builtin_mul_overflow(x, y, r); });
  }
  friend auto operator<=>(const Checked&, const Checked&) = default;

 private:
  template <class Op>
  Checked with(Checked other, Op op) const {
    T result{};
    if (op(value_, other.value_, &result)) throw Overflow();
    return Checked(result);
  }
  T value_;
};

template <std::signed_integral T>
struct Arith<Checked<T>> {
  /// Requires b > 0.
  static Checked<T> floor_div(Checked<T> a, Checked<T> b) {
    return Checked<T>(Arith<std::int64_t>::floor_div(a.value(), b.value()));
  }
  static Checked<T> pick(bool condition, Checked<T> a, Checked<T> b) { return condition ? a : b; }
};

}  // namespace wgradcheck::spec
