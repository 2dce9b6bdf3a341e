#include "proofs/smtlib.hpp"

#include <map>
#include <utility>

namespace wgradcheck::proofs {
namespace {

using Kind = Formula::Kind;

std::string quoted(const std::string& name) { return "|" + name + "|"; }

std::string call(const std::string& function, const std::vector<std::string>& arguments) {
  std::string text = "(" + function;
  for (const std::string& argument : arguments) text += " " + argument;
  return text + ")";
}

/// The script under construction: each atom and each named product is declared where it is first met.
class Script {
 public:
  explicit Script(Products products) : products_(products) {}

  void state(const Fact& fact) {
    require(fact.label, fact.formula);
    while (!undefined_.empty()) {
      const Atom atom = undefined_.back();
      undefined_.pop_back();
      for (const Formula& meaning : atom.meaning()) require(names_.at(atom.name()), meaning);
    }
  }
  std::string text() const { return declared_ + asserted_; }
  const std::vector<std::string>& labels() const { return labels_; }

 private:
  void require(const std::string& label, const Formula& f) {
    const std::string text = formula(f);
    labels_.push_back(label);
    // Labels repeat, names may not.
    asserted_ +=
        call("assert", {call("!", {text, ":named", quoted(std::to_string(labels_.size()) + " " + label)})}) +
        "\n";
  }

  /// A quotient or a choice gets a short name, and a comment that says what it is.
  std::string name(const Atom& atom) {
    const auto [place, added] = names_.try_emplace(atom.name(), atom.name());
    if (!added) return place->second;
    if (!atom.meaning().empty()) {
      const std::string& full = atom.name();
      place->second = full.substr(0, full.find('(')) + "." + std::to_string(++defined_);
      declared_ += "; " + place->second + " is " + full + "\n";
      undefined_.push_back(atom);
    }
    declared_ += "(declare-const " + quoted(place->second) + " Int)\n";
    return place->second;
  }

  std::string product(const Sym::Monomial& factors) {
    std::vector<std::string> names;
    for (const Atom& factor : factors) names.push_back(name(factor));
    if (names.size() == 1) return quoted(names.front());
    if (products_ == Products::multiplied) {
      for (std::string& factor : names) factor = quoted(factor);
      return call("*", names);
    }
    std::string joined;
    for (const std::string& factor : names) joined += (joined.empty() ? "" : "*") + factor;
    if (named_.insert({joined, true}).second) declared_ += "(declare-const " + quoted(joined) + " Int)\n";
    return quoted(joined);
  }

  /// Terms of one sign: a relation has the positive ones left and the negative ones right.
  std::string side(const Sym& sym, bool positive) {
    std::vector<std::string> terms;
    for (const auto& [factors, coefficient] : sym.terms()) {
      if ((coefficient > 0) != positive) continue;
      const std::string size = std::to_string(positive ? coefficient : -coefficient);
      terms.push_back(factors.empty() ? size
                      : size == "1"   ? product(factors)
                                      : call("*", {size, product(factors)}));
    }
    return terms.empty() ? "0" : terms.size() == 1 ? terms.front() : call("+", terms);
  }

  std::string formula(const Formula& f) {
    static const std::map<Kind, std::string> words{{Kind::nonnegative, ">="}, {Kind::zero, "="},
                                                   {Kind::negation, "not"},   {Kind::conjunction, "and"},
                                                   {Kind::disjunction, "or"}, {Kind::implication, "=>"},
                                                   {Kind::equivalence, "="}};
    std::vector<std::string> parts;
    if (f.kind() == Kind::nonnegative || f.kind() == Kind::zero)
      parts = {side(f.value(), true), side(f.value(), false)};
    else
      for (const Formula& part : f.parts()) parts.push_back(formula(part));
    return call(words.at(f.kind()), parts);
  }

  Products products_;
  std::map<std::string, std::string> names_;
  std::map<std::string, bool> named_;
  std::vector<Atom> undefined_;
  std::vector<std::string> labels_;
  int defined_ = 0;
  std::string declared_, asserted_;
};

}  // namespace

Query smtlib(std::span<const Fact> facts, Products products, const std::string& heading) {
  Script script(products);
  for (const Fact& fact : facts) script.state(fact);
  const char* logic = products == Products::named ? "QF_LIA" : "QF_NIA";
  return {"; " + heading + "\n" + call("set-logic", {logic}) + "\n" + script.text() + "(check-sat)\n",
          script.labels()};
}

}  // namespace wgradcheck::proofs
