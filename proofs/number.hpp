#pragma once
#include <set>
#include <string>

#include "spec/checked.hpp"

namespace wgradcheck::proofs {

/// Thrown to leave a statement that is read with numbers outside its assumptions.
struct Outside {};

/// Which operation of the formula under proof is altered, if any, and which have been met. An operation is
/// known by its site: its place in order, or in order inside a body of a schedule.
struct Mutation {
  using Site = std::int64_t;

  bool inside = false;  ///< only operations of the formula under proof count
  Site next = 0, altered = -1;
  std::set<Site>* met = nullptr;  ///< gets each site where it is not null

  static Mutation& current() {
    static thread_local Mutation mutation;
    return mutation;
  }
  /// Passes an operation; true for the altered one.
  static bool here() {
    Mutation& m = current();
    if (!m.inside) return false;
    if (m.met) m.met->insert(m.next);
    return m.next++ == m.altered;
  }
};

/// What is not part of the formula under proof though the formula calls it: no mutant alters it.
class Aside {
 public:
  Aside() { Mutation::current().inside = false; }
  ~Aside() { Mutation::current().inside = inside_; }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  bool inside_ = Mutation::current().inside;
};

/// The reading of a statement that is tested: 64 bits, spec::Overflow where they do not do, Outside where a
/// divisor is not positive. The altered operation errs: + and - are exchanged, * becomes +, a quotient is one
/// too large, a choice is the other one, a comparison asks for a difference of one more, an equation for
/// inequality.
class Number {
 public:
  using Value = spec::Checked<std::int64_t>;

  Number(std::int64_t value) : value_(value) {}
  Number(Value value) : value_(value) {}
  Value value() const { return value_; }

  friend Number operator+(Number a, Number b) { return sum(a.value_, b.value_, Mutation::here()); }
  friend Number operator-(Number a, Number b) { return sum(a.value_, b.value_, !Mutation::here()); }
  friend Number operator*(Number a, Number b) {
    return Mutation::here() ? a.value_ + b.value_ : a.value_ * b.value_;
  }
  friend bool operator<(Number a, Number b) {
    return (Mutation::here() ? a.value_ + 1 : a.value_) < b.value_;
  }
  friend bool operator<=(Number a, Number b) {
    return (Mutation::here() ? a.value_ + 1 : a.value_) <= b.value_;
  }
  friend bool operator>(Number a, Number b) { return b < a; }
  friend bool operator>=(Number a, Number b) { return b <= a; }
  friend bool operator==(Number a, Number b) { return (a.value_ == b.value_) != Mutation::here(); }

 private:
  static Value sum(Value a, Value b, bool minus) { return minus ? a - b : a + b; }
  Value value_;
};

inline Number named(const std::string&, Number value) { return value; }

}  // namespace wgradcheck::proofs

template <>
struct wgradcheck::spec::Arith<wgradcheck::proofs::Number> {
  using Number = proofs::Number;
  static Number floor_div(Number a, Number b) {
    if (b.value() <= 0) throw proofs::Outside{};
    const auto quotient = Arith<Number::Value>::floor_div(a.value(), b.value());
    return proofs::Mutation::here() ? quotient + 1 : quotient;
  }
  static Number pick(bool condition, Number a, Number b) {
    return condition != proofs::Mutation::here() ? a : b;
  }
};
