#pragma once
#include <algorithm>
#include <stdexcept>

#include "proofs/tested.hpp"

namespace wgradcheck::proofs {

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
  using Part = std::variant<Sym, Formula>;

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
    const auto value = under_proof(formulas);
    see(value);
    return value;
  }
  template <class Value>
  void see(const Value& value) {
    each_part<Sym, Formula>(value, [this](const auto& part) { yields_.push_back(part); });
  }
  void use(const Lemma<Formula>& lemma) { add(Role::lemma, {lemma.name, ""}, lemma.truth); }
  void claim(const Label& label, const Formula& holds) { add(Role::claim, label, holds); }

  const std::vector<std::string>& variables() const { return variables_; }
  const std::vector<Step>& steps() const { return steps_; }
  /// What the formula under proof yields, in order.
  const std::vector<Part>& yields() const { return yields_; }

 private:
  void add(Role role, const Label& label, const Formula& formula) {
    steps_.push_back({role, {std::string(label), formula}});
  }
  std::vector<std::string> variables_;
  std::vector<Step> steps_;
  std::vector<Part> yields_;
};

}  // namespace wgradcheck::proofs
