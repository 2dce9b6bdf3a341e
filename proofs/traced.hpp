#pragma once
#include <functional>
#include <vector>

#include "spec/arith.hpp"

namespace wgradcheck::proofs {

/// A reading on top of another that records every value a formula forms, so that each can be bounded.
template <class Int>
class Traced {
 public:
  using Trace = std::vector<Int>;

  Traced(std::int64_t constant) : value_(constant) {}
  /// A value that is given and not formed; what is formed from it is appended to the trace.
  Traced(const Int& value, Trace& trace) : value_(value), trace_(&trace) {}
  const Int& value() const { return value_; }
  /// Every value formed so far, this one among them.
  Trace values() const { return trace_ ? *trace_ : Trace{value_}; }

  friend Traced operator+(const Traced& a, const Traced& b) { return a.formed(b, a.value_ + b.value_); }
  friend Traced operator-(const Traced& a, const Traced& b) { return a.formed(b, a.value_ - b.value_); }
  friend Traced operator*(const Traced& a, const Traced& b) { return a.formed(b, a.value_ * b.value_); }
  friend auto operator<=(const Traced& a, const Traced& b) { return a.value_ <= b.value_; }
  friend auto operator<(const Traced& a, const Traced& b) { return a.value_ < b.value_; }
  friend auto operator>=(const Traced& a, const Traced& b) { return a.value_ >= b.value_; }
  friend auto operator==(const Traced& a, const Traced& b) { return a.value_ == b.value_; }

  /// A result of an operation on this value and another one.
  Traced formed(const Traced& other, const Int& value) const {
    Trace* const trace = trace_ ? trace_ : other.trace_;
    if (!trace) return Traced(value);
    trace->push_back(value);
    return {value, *trace};
  }

 private:
  explicit Traced(const Int& value) : value_(value) {}
  Int value_;
  Trace* trace_ = nullptr;
};

/// Every value that a formula has formed lies between two, each named by its place.
template <class Reading, class Int>
void claim_between(Reading& p, const std::vector<Int>& values, const Int& least, const Int& most) {
  for (std::size_t i = 0; i < values.size(); ++i)
    p.claim({"operation ", std::to_string(i)}, least <= values[i] && values[i] <= most);
}

}  // namespace wgradcheck::proofs

template <class Int>
struct wgradcheck::spec::Arith<wgradcheck::proofs::Traced<Int>> {
  using Traced = proofs::Traced<Int>;
  static Traced floor_div(const Traced& a, const Traced& b) {
    return a.formed(b, Arith<Int>::floor_div(a.value(), b.value()));
  }
  template <class Condition>
  static Traced pick(const Condition& condition, const Traced& a, const Traced& b) {
    return a.formed(b, Arith<Int>::pick(condition, a.value(), b.value()));
  }
};
