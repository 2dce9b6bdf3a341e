#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spec/arith.hpp"

/// Proofs, for all shapes, of what formulas say. Nothing here depends on a solver but solver.cpp.
namespace wgradcheck::proofs {

class Formula;
class Sym;
struct AtomData;

/// An unknown integer: a variable, a floor quotient, a choice, or a value that got a name. Equal names mean
/// equal integers.
class Atom {
 public:
  explicit Atom(std::shared_ptr<const AtomData> data) : data_(std::move(data)) {}
  const std::string& name() const;
  /// What it is of: a quotient of its dividend and divisor, a choice of its two outcomes, a named value of
  /// that value, a variable of nothing.
  const std::vector<Sym>& operands() const;
  /// What a choice depends on; nothing for any other.
  const std::optional<Formula>& condition() const;
  /// What holds of a quotient, a choice or a named value by definition; of a variable, nothing (empty).
  std::vector<Formula> meaning() const;
  bool operator<(const Atom& other) const { return data_ != other.data_ && name() < other.name(); }

 private:
  std::shared_ptr<const AtomData> data_;
};

/// An integer of the proofs' reading: a polynomial over atoms, kept expanded, so that equal polynomials are
/// the same and a product is met in one form only. It has no `/`, no assignment and no way to a number. One
/// of its operations may be altered, as of Number.
class Sym {
 public:
  using Monomial = std::vector<Atom>;  ///< factors in order; the empty one stands for 1
  using Terms = std::map<Monomial, std::int64_t>;

  Sym(std::int64_t constant);
  explicit Sym(Atom atom);
  /// The variable of this name: any integer.
  static Sym variable(std::string name);
  Sym(const Sym&) = default;
  Sym& operator=(const Sym&) = delete;

  /// Coefficients other than 0.
  const Terms& terms() const { return *terms_; }

  /// Each throws spec::Overflow when a coefficient leaves 64 bits.
  friend Sym operator+(const Sym& a, const Sym& b);
  friend Sym operator-(const Sym& a, const Sym& b);
  friend Sym operator*(const Sym& a, const Sym& b);
  friend Formula operator<=(const Sym& a, const Sym& b);
  friend Formula operator<(const Sym& a, const Sym& b);
  friend Formula operator>=(const Sym& a, const Sym& b);
  friend Formula operator>(const Sym& a, const Sym& b);
  friend Formula operator==(const Sym& a, const Sym& b);
  friend Formula operator!=(const Sym& a, const Sym& b);

 private:
  explicit Sym(Terms terms);
  static Sym sum(const Sym& a, const Sym& b, std::int64_t times);
  static Sym product(const Sym& a, const Sym& b);
  static Formula at_most(const Sym& a, const Sym& b, std::int64_t less);
  std::shared_ptr<const Terms> terms_;
};

/// The value under a name of its own: what is formed from it is not expanded in what it is formed of.
Sym named(std::string name, const Sym& value);

/// A statement about Syms, true or false once their variables are integers.
class Formula {
 public:
  enum class Kind { nonnegative, zero, negation, conjunction, disjunction, implication, equivalence };

  Formula(Kind kind, const Sym& value);
  Formula(Kind kind, std::vector<Formula> parts);
  Kind kind() const { return kind_; }
  /// What is at least 0, or is 0.
  const Sym& value() const { return *value_; }
  const std::vector<Formula>& parts() const { return *parts_; }

 private:
  Kind kind_;
  std::shared_ptr<const Sym> value_;
  std::shared_ptr<const std::vector<Formula>> parts_;
};

Formula operator&&(const Formula& a, const Formula& b);
Formula operator||(const Formula& a, const Formula& b);
Formula operator!(const Formula& a);
Formula implies(const Formula& premise, const Formula& conclusion);
Formula iff(const Formula& a, const Formula& b);

/// The same connectives where formulas are run.
inline bool implies(bool premise, bool conclusion) { return !premise || conclusion; }
inline bool iff(bool a, bool b) { return a == b; }

/// A polynomial and a formula as text: names of atoms, and what solvers never see.
std::string to_string(const Sym&);
std::string to_string(const Formula&);

}  // namespace wgradcheck::proofs

template <>
struct wgradcheck::spec::Arith<wgradcheck::proofs::Sym> {
  /// A fresh quotient q with, where b > 0, q * b <= a < q * b + b.
  static proofs::Sym floor_div(const proofs::Sym& a, const proofs::Sym& b);
  /// A fresh integer that is a where the condition holds, else b.
  static proofs::Sym pick(const proofs::Formula& condition, const proofs::Sym& a, const proofs::Sym& b);
};
