#pragma once
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proofs/lemmas.hpp"
#include "proofs/number.hpp"
#include "proofs/parts.hpp"

namespace wgradcheck::proofs {

/// Words put together only where they are read.
struct Label {
  std::string_view first, second = {}, third = {};
  Label(const char* words) : first(words) {}
  Label(std::string_view a, std::string_view b, std::string_view c = {}) : first(a), second(b), third(c) {}
  explicit operator std::string() const { return std::string(first).append(second).append(third); }
};

template <class Int>
class Statement;

/// What an obligation says, read with numbers: whether it holds for these values of its variables, in order.
template <>
class Statement<Number> {
 public:
  /// What the formula under proof yields goes to `seen` where it is not null.
  explicit Statement(std::span<const std::int64_t> values, std::vector<std::int64_t>* seen = nullptr)
      : values_(values), seen_(seen) {}

  /// Any integer.
  Number integer(const Label&) { return values_[next_++]; }
  /// A condition under which the claims are made.
  void assume(const Label&, bool holds) {
    if (!holds) throw Outside{};
    ++assumed_;
  }
  /// The formula under proof: what a mutant alters.
  template <class Formulas>
  auto subject(Formulas formulas) {
    const auto value = under_proof(formulas);
    see(value);
    return value;
  }
  /// What the formula under proof yields besides its value.
  template <class Value>
  void see(const Value& value) {
    if (!seen_) return;
    each_part<Number, Truth>(value, [this](const auto& part) { seen_->push_back(plain(part)); });
  }
  /// A lemma at particular integers, a step of the proof.
  void use(const Lemma<Truth>& lemma) {
    if (!lemma.truth) broken({"lemma ", lemma.name});
  }
  /// What is to be proved. Claims are proved in order, and each may rest on those before it.
  void claim(const Label& label, bool holds) {
    if (!holds) broken_claims_.insert(claims_);
    ++claims_;
    if (!holds) broken(label);
  }

  /// How many assumptions have held.
  int assumed() const { return assumed_; }
  /// The claims that are false, by their order.
  const std::set<int>& broken_claims() const { return broken_claims_; }
  /// The first claim that is false, if any.
  const std::optional<std::string>& broken() const { return broken_; }

 private:
  void broken(const Label& label) {
    if (!broken_) broken_ = std::string(label);
  }
  static std::int64_t plain(const Number& number) { return number.value().value(); }
  static std::int64_t plain(const Truth& truth) { return truth ? 1 : 0; }

  std::span<const std::int64_t> values_;
  std::vector<std::int64_t>* seen_;
  std::size_t next_ = 0;
  int assumed_ = 0, claims_ = 0;
  std::set<int> broken_claims_;
  std::optional<std::string> broken_;
};

}  // namespace wgradcheck::proofs
