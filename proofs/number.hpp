#pragma once
#include "proofs/mutation.hpp"
#include "spec/checked.hpp"

namespace wgradcheck::proofs {

/// Thrown to leave a statement that is read with numbers outside its assumptions.
struct Outside {};

/// Thrown where the formula under proof divides by what is not positive.
struct NoDivisor : Outside {};

/// A truth of the reading that is tested. Both sides of && and || are formed, as by symbols, so that every
/// operation keeps its place in order.
class Truth {
 public:
  Truth(bool holds) : holds_(holds) {}
  operator bool() const { return holds_; }

  friend Truth operator&&(const Truth& a, const Truth& b) { return a.holds_ && b.holds_; }
  friend Truth operator||(const Truth& a, const Truth& b) { return a.holds_ || b.holds_; }
  friend Truth operator!(const Truth& a) { return !a.holds_; }

 private:
  bool holds_;
};

inline Truth implies(const Truth& premise, const Truth& conclusion) { return !premise || conclusion; }
inline Truth iff(const Truth& a, const Truth& b) { return bool(a) == bool(b); }

/// The reading of a statement that is tested: 64 bits, spec::Overflow where they do not do, Outside (in the
/// formula under proof NoDivisor) where a divisor is not positive. One of its operations may be altered.
class Number {
 public:
  using Value = spec::Checked<std::int64_t>;

  Number(std::int64_t value) : value_(value) {}
  Number(Value value) : value_(value) {}
  Value value() const { return value_; }

  friend Number operator+(const Number& a, const Number& b) {
    return sum(a.value_, b.value_, Mutation::here());
  }
  friend Number operator-(const Number& a, const Number& b) {
    return sum(a.value_, b.value_, !Mutation::here());
  }
  friend Number operator*(const Number& a, const Number& b) {
    return Mutation::here() ? a.value_ + b.value_ : a.value_ * b.value_;
  }
  friend Truth operator<(const Number& a, const Number& b) {
    return (Mutation::here() ? a.value_ + 1 : a.value_) < b.value_;
  }
  friend Truth operator<=(const Number& a, const Number& b) {
    return (Mutation::here() ? a.value_ + 1 : a.value_) <= b.value_;
  }
  friend Truth operator>(const Number& a, const Number& b) { return b < a; }
  friend Truth operator>=(const Number& a, const Number& b) { return b <= a; }
  friend Truth operator==(const Number& a, const Number& b) {
    return (a.value_ == b.value_) != Mutation::here();
  }
  friend Truth operator!=(const Number& a, const Number& b) { return !(a == b); }

 private:
  static Value sum(Value a, Value b, bool minus) { return minus ? a - b : a + b; }
  Value value_;
};

inline Number named(const std::string&, Number value) { return value; }

}  // namespace wgradcheck::proofs

template <>
struct wgradcheck::spec::Arith<wgradcheck::proofs::Number> {
  using Number = proofs::Number;
  static Number floor_div(const Number& a, const Number& b) {
    if (b.value() <= 0 && proofs::Mutation::current().inside) throw proofs::NoDivisor{};
    if (b.value() <= 0) throw proofs::Outside{};
    const auto quotient = Arith<Number::Value>::floor_div(a.value(), b.value());
    return proofs::Mutation::here() ? quotient + 1 : quotient;
  }
  static Number pick(bool condition, const Number& a, const Number& b) {
    return condition != proofs::Mutation::here() ? a : b;
  }
};
