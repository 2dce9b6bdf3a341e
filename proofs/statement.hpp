#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "proofs/lemmas.hpp"
#include "proofs/number.hpp"

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
  explicit Statement(std::span<const std::int64_t> values) : values_(values) {}

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
    Mutation::current().inside = true;
    const auto value = formulas();
    Mutation::current().inside = false;
    return value;
  }
  /// A lemma at particular integers, a step of the proof.
  void use(const Lemma<bool>& lemma) {
    if (!lemma.truth) broken({"lemma ", lemma.name});
  }
  /// What is to be proved. Claims are proved in order, and each may rest on those before it.
  void claim(const Label& label, bool holds) {
    if (!holds) broken(label);
  }

  /// How many assumptions have held.
  int assumed() const { return assumed_; }
  /// The first claim that is false, if any.
  const std::optional<std::string>& broken() const { return broken_; }

 private:
  void broken(const Label& label) {
    if (!broken_) broken_ = std::string(label);
  }
  std::span<const std::int64_t> values_;
  std::size_t next_ = 0;
  int assumed_ = 0;
  std::optional<std::string> broken_;
};

/// A formula with the words that name it.
struct Fact {
  std::string label;
  Formula formula;
};

/// What an obligation says, read with symbols: its variables, and what is assumed, used and claimed.
template <>
class Statement<Sym> {
 public:
  enum class Role { assumption, lemma, claim };
  struct Step {
    Role role;
    Fact fact;
  };

  /// Throws std::logic_error when the name is taken.
  Sym integer(const Label& label) {
    const std::string name(label);
    if (std::ranges::find(variables_, name) != variables_.end())
      throw std::logic_error("an obligation declares " + name + " twice");
    variables_.push_back(name);
    return Sym::variable(name);
  }
  void assume(const Label& label, const Formula& holds) { add(Role::assumption, label, holds); }
  template <class Formulas>
  auto subject(Formulas formulas) {
    return formulas();
  }
  void use(const Lemma<Formula>& lemma) { add(Role::lemma, {lemma.name, ""}, lemma.truth); }
  void claim(const Label& label, const Formula& holds) { add(Role::claim, label, holds); }

  const std::vector<std::string>& variables() const { return variables_; }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  void add(Role role, const Label& label, const Formula& formula) {
    steps_.push_back({role, {std::string(label), formula}});
  }
  std::vector<std::string> variables_;
  std::vector<Step> steps_;
};

}  // namespace wgradcheck::proofs
