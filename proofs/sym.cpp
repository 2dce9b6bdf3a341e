#include "proofs/sym.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "proofs/mutation.hpp"
#include "spec/checked.hpp"

namespace wgradcheck::proofs {

struct AtomData {
  std::string name;
  std::vector<Sym> operands;
  std::optional<Formula> condition;
};

namespace {

using Kind = Formula::Kind;

std::int64_t checked(spec::Checked<std::int64_t> value) { return value.value(); }

void add(Sym::Terms& terms, const Sym::Monomial& monomial, std::int64_t coefficient) {
  std::int64_t& sum = terms[monomial];
  sum = checked(spec::Checked<std::int64_t>(sum) + coefficient);
  if (sum == 0) terms.erase(monomial);
}

Sym::Terms constant_terms(std::int64_t constant) {
  return constant == 0 ? Sym::Terms{} : Sym::Terms{{{}, constant}};
}

std::string joined(const std::vector<Formula>& parts, const char* between) {
  std::string text = "(";
  for (const Formula& part : parts) text += (text.size() > 1 ? between : "") + to_string(part);
  return text + ")";
}

std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 60;
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

/// Passes an operation; true for the altered one, which is told in words.
template <class... Operands>
bool altered(const char* how, const Operands&... operands) {
  if (!Mutation::here()) return false;
  if (std::string* const told = Mutation::current().told) {
    *told = how;
    const char* between = " in ";
    ((*told += between + shortened(to_string(operands)), between = " and "), ...);
  }
  return true;
}

/// Whether a comparison holds whatever its unknowns are, where it has none.
std::optional<bool> constant(const Formula& f) {
  if (f.kind() != Kind::nonnegative && f.kind() != Kind::zero) return {};
  const Sym::Terms& terms = f.value().terms();
  if (terms.size() > 1 || (!terms.empty() && !terms.begin()->first.empty())) return {};
  const std::int64_t value = terms.empty() ? 0 : terms.begin()->second;
  return f.kind() == Kind::zero ? value == 0 : value >= 0;
}

/// What an operation yields that is forgotten.
Sym unknown() { return Sym::variable("unknown " + std::to_string(Mutation::current().unknowns)); }
Formula unknown_truth() {
  const Aside aside;
  return unknown() == 1;
}

}  // namespace

const std::string& Atom::name() const { return data_->name; }
const std::vector<Sym>& Atom::operands() const { return data_->operands; }
const std::optional<Formula>& Atom::condition() const { return data_->condition; }

std::vector<Formula> Atom::meaning() const {
  const Sym self(*this);
  const auto& operands = data_->operands;
  if (operands.empty()) return {};
  if (data_->condition)
    return {implies(*data_->condition, self == operands[0]),
            implies(!*data_->condition, self == operands[1])};
  if (operands.size() == 1) return {self == operands[0]};
  const Sym product = self * operands[1];
  return {implies(operands[1] > 0, product <= operands[0] && operands[0] < product + operands[1])};
}

Sym::Sym(Terms terms) : terms_(std::make_shared<const Terms>(std::move(terms))) {}
Sym::Sym(std::int64_t constant) : Sym(constant_terms(constant)) {}
Sym::Sym(Atom atom) : Sym(Terms{{{std::move(atom)}, 1}}) {}

Sym Sym::variable(std::string name) {
  return Sym(Atom(std::make_shared<const AtomData>(AtomData{std::move(name), {}, {}})));
}

Sym named(std::string name, const Sym& value) {
  if (auto* const names = Mutation::current().names)
    if (const std::string text = to_string(value); names->try_emplace(name, text).first->second != text)
      name += " altered";
  return Sym(Atom(std::make_shared<const AtomData>(AtomData{std::move(name), {value}, {}})));
}

Sym Sym::sum(const Sym& a, const Sym& b, std::int64_t times) {
  Sym::Terms sum = a.terms();
  for (const auto& [monomial, coefficient] : b.terms())
    add(sum, monomial, checked(spec::Checked<std::int64_t>(coefficient) * times));
  return Sym(std::move(sum));
}

Sym Sym::product(const Sym& a, const Sym& b) {
  Sym::Terms product;
  for (const auto& [left, m] : a.terms())
    for (const auto& [right, n] : b.terms()) {
      Sym::Monomial factors;
      std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(factors));
      add(product, factors, checked(spec::Checked<std::int64_t>(m) * n));
    }
  return Sym(std::move(product));
}

Formula Sym::at_most(const Sym& a, const Sym& b, std::int64_t less) {
  return {Kind::nonnegative, sum(sum(b, a, -1), -less, 1)};
}

Sym operator+(const Sym& a, const Sym& b) {
  if (Mutation::forgets()) return unknown();
  return Sym::sum(a, b, altered("- for +", a, b) ? -1 : 1);
}
Sym operator-(const Sym& a, const Sym& b) {
  if (Mutation::forgets()) return unknown();
  return Sym::sum(a, b, altered("+ for -", a, b) ? 1 : -1);
}
Sym operator*(const Sym& a, const Sym& b) {
  if (Mutation::forgets()) return unknown();
  return altered("+ for *", a, b) ? Sym::sum(a, b, 1) : Sym::product(a, b);
}
Formula operator<=(const Sym& a, const Sym& b) {
  if (Mutation::forgets()) return unknown_truth();
  return Sym::at_most(a, b, altered("< for <=", a, b) ? 1 : 0);
}
Formula operator<(const Sym& a, const Sym& b) {
  if (Mutation::forgets()) return unknown_truth();
  return Sym::at_most(a, b, altered("two less for <", a, b) ? 2 : 1);
}
Formula operator>=(const Sym& a, const Sym& b) { return b <= a; }
Formula operator>(const Sym& a, const Sym& b) { return b < a; }
Formula operator==(const Sym& a, const Sym& b) {
  if (Mutation::forgets()) return unknown_truth();
  const bool differ = altered("!= for ==", a, b);
  const Formula equal{Kind::zero, Sym::sum(a, b, -1)};
  return differ ? !equal : equal;
}
Formula operator!=(const Sym& a, const Sym& b) { return !(a == b); }

Formula::Formula(Kind kind, const Sym& value) : kind_(kind), value_(std::make_shared<const Sym>(value)) {}
Formula::Formula(Kind kind, std::vector<Formula> parts)
    : kind_(kind), parts_(std::make_shared<const std::vector<Formula>>(std::move(parts))) {}

Formula operator&&(const Formula& a, const Formula& b) { return {Kind::conjunction, std::vector{a, b}}; }
Formula operator||(const Formula& a, const Formula& b) { return {Kind::disjunction, std::vector{a, b}}; }
Formula operator!(const Formula& a) { return {Kind::negation, std::vector{a}}; }
Formula implies(const Formula& a, const Formula& b) { return {Kind::implication, std::vector{a, b}}; }
Formula iff(const Formula& a, const Formula& b) { return {Kind::equivalence, std::vector{a, b}}; }

std::string to_string(const Sym& sym) {
  std::string text;
  for (const auto& [monomial, coefficient] : sym.terms()) {
    std::string term;
    if (coefficient != 1 || monomial.empty()) term = std::to_string(coefficient);
    for (const Atom& factor : monomial) term += (term.empty() ? "" : "*") + factor.name();
    text += (text.empty() ? "" : " + ") + term;
  }
  return text.empty() ? "0" : text;
}

std::string to_string(const Formula& formula) {
  switch (formula.kind()) {
    case Kind::nonnegative:
      return to_string(formula.value()) + " >= 0";
    case Kind::zero:
      return to_string(formula.value()) + " = 0";
    case Kind::negation:
      return "not " + joined(formula.parts(), "");
    case Kind::conjunction:
      return joined(formula.parts(), " and ");
    case Kind::disjunction:
      return joined(formula.parts(), " or ");
    case Kind::implication:
      return joined(formula.parts(), " implies ");
    case Kind::equivalence:
      return joined(formula.parts(), " iff ");
  }
  return {};
}

}  // namespace wgradcheck::proofs

namespace wgradcheck::spec {

using proofs::Atom;
using proofs::AtomData;
using proofs::Formula;
using proofs::Sym;

Sym Arith<Sym>::floor_div(const Sym& a, const Sym& b) {
  if (proofs::Mutation::forgets()) return proofs::unknown();
  const bool more = proofs::altered("one more for the quotient", a, b);
  const Sym quotient(Atom(std::make_shared<const AtomData>(
      AtomData{"floor((" + to_string(a) + ")/(" + to_string(b) + "))", {a, b}, {}})));
  const proofs::Aside aside;
  return more ? quotient + 1 : quotient;
}

Sym Arith<Sym>::pick(const Formula& condition, const Sym& a, const Sym& b) {
  if (proofs::Mutation::forgets()) return proofs::unknown();
  const bool other = proofs::altered("the other choice", a, b);
  const Sym &first = other ? b : a, &second = other ? a : b;
  if (const auto truth = proofs::constant(condition)) return *truth ? first : second;
  return Sym(Atom(std::make_shared<const AtomData>(
      AtomData{"pick(" + to_string(condition) + ", " + to_string(first) + ", " + to_string(second) + ")",
               {first, second},
               condition})));
}

}  // namespace wgradcheck::spec
