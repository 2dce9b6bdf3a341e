#include "proofs/equal.hpp"

#include <set>

#include "spec/checked.hpp"

namespace wgradcheck::proofs {
namespace {

using Role = Statement<Sym>::Role;

std::vector<Fact> of_role(const Statement<Sym>& statement, Role role) {
  std::vector<Fact> facts;
  for (const auto& step : statement.steps())
    if (step.role == role) facts.push_back(step.fact);
  return facts;
}

void append(std::vector<Fact>& to, const std::vector<Fact>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// What has to hold for all of some formulas to, those left out that are the same text.
class All {
 public:
  void require(const Formula& formula) { all_.emplace(all_ ? *all_ && formula : formula); }
  void require_equal(const Sym& a, const Sym& b) {
    if (to_string(a) != to_string(b)) require(a == b);
  }
  void require_equal(const Formula& a, const Formula& b) {
    if (to_string(a) != to_string(b)) require(iff(a, b));
  }
  const std::optional<Formula>& all() const { return all_; }

 private:
  std::optional<Formula> all_;
};

Sym product_of(std::span<const Atom> factors) {
  return factors.empty() ? Sym(1) : Sym(factors.front()) * product_of(factors.subspan(1));
}

/// The lemmas that show a product to be 0, or the rest of it, where one of its factors is 0 or 1: for each
/// factor of a monomial, and again for the rest.
void peel(const Sym::Monomial& monomial, std::set<Sym::Monomial>& done, std::vector<Fact>& lemmas) {
  if (monomial.size() < 2 || !done.insert(monomial).second) return;
  for (std::size_t i = 0; i < monomial.size(); ++i) {
    Sym::Monomial others = monomial;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const Sym rest = product_of(others);
    for (const Sym constant : {0, 1})
      lemmas.push_back({"times", times(Sym(monomial[i]), constant, rest).truth});
    peel(others, done, lemmas);
  }
}

void peel(const Formula& formula, std::set<Sym::Monomial>& done, std::vector<Fact>& lemmas) {
  if (formula.kind() == Formula::Kind::nonnegative || formula.kind() == Formula::Kind::zero)
    for (const auto& [monomial, coefficient] : formula.value().terms()) peel(monomial, done, lemmas);
  else
    for (const Formula& part : formula.parts()) peel(part, done, lemmas);
}

/// The assumptions of one statement that are not, word for word, the other's.
All besides(const std::vector<Fact>& one, const std::vector<Fact>& other) {
  All all;
  for (const Fact& fact : one)
    if (std::ranges::none_of(other,
                             [&](const Fact& f) { return to_string(f.formula) == to_string(fact.formula); }))
      all.require(fact.formula);
  return all;
}

}  // namespace

Altered compare(const Obligation& obligation, Site site, const Impossible& impossible) {
  Altered result;
  std::map<std::string, std::string> names;
  Statement<Sym> original, altered;
  try {
    {
      const Altering none({.names = &names});
      obligation.symbols(original);
    }
    const Altering altering({.altered = site, .told = &result.how, .names = &names});
    obligation.symbols(altered);
  } catch (const spec::Overflow&) {
    return result;
  }
  const auto &yields = original.yields(), &yields2 = altered.yields();
  const auto kind = [](const Statement<Sym>::Part& part) { return part.index(); };
  if (original.variables() != altered.variables() || !std::ranges::equal(yields, yields2, {}, kind, kind))
    return result;

  const auto assumed = of_role(original, Role::assumption), assumed2 = of_role(altered, Role::assumption);
  All same = besides(assumed2, assumed);
  for (std::size_t i = 0; i < yields.size(); ++i)
    std::visit([&]<class Part>(const Part& part) { same.require_equal(part, std::get<Part>(yields2[i])); },
               yields[i]);
  std::vector<Fact> lemmas = of_role(original, Role::lemma);
  append(lemmas, of_role(altered, Role::lemma));
  if (same.all()) {
    std::vector<Fact> facts = assumed;
    append(facts, lemmas);
    append(facts, of_role(original, Role::claim));
    facts.push_back({"not the same", !*same.all()});
    std::set<Sym::Monomial> peeled;
    std::vector<Fact> more;
    peel(*same.all(), peeled, more);
    if (!impossible("altered", facts)) {
      append(facts, more);
      if (more.empty() || !impossible("altered", facts)) return result;
    }
  }
  if (const All narrower = besides(assumed, assumed2); narrower.all()) {
    std::vector<Fact> facts = assumed2;
    append(facts, lemmas);
    facts.push_back({"not as wide", !*narrower.all()});
    if (!impossible("widened", facts)) return result;
  }
  result.equal = true;
  return result;
}

}  // namespace wgradcheck::proofs
