#include "proofs/equal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "optional.hpp"
#include "proofs/given.hpp"
#include "proofs/judge.hpp"

/// Altered formulas that no values tell from the formula under proof.
namespace wgradcheck::proofs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(AlteredFormulas, AreEqualWhereTheAssumptionsMakeThemSo) {
  const Result result = judge("", holds("", "", [](auto& p) {
                                const auto a = p.integer("a"), b = p.integer("b");
                                p.assume("nothing", b == 0);
                                p.claim("one more", p.subject([&] { return a + b + 1; }) == a + 1);
                              }));
  EXPECT_THAT(result.mutants.all, ElementsAre(0, 1));
  EXPECT_THAT(result.mutants.refuted, ElementsAre(1));
  EXPECT_THAT(result.mutants.equal, ElementsAre(0));
  EXPECT_THAT(result.mutants.others.at(0), HasSubstr("- for + in a and b"));
}

TEST(AlteredFormulas, AreEqualWhereAFactorIs0Or1) {
  const Result result = judge("", holds("", "", [](auto& p) {
                                const auto a = p.integer("a"), b = p.integer("b"), c = p.integer("c");
                                p.assume("fixed", b == 0 && c == 1);
                                const auto value = p.subject([&] { return a + b * c * a; });
                                p.use(times(b, b - b, a * c));
                                p.claim("it", value >= a && value <= a);
                              }));
  EXPECT_EQ(result.verdict, Verdict::proved) << result.detail;
  EXPECT_THAT(result.mutants.equal, ElementsAre(2)) << "a - b*c*a, b being 0";
}

TEST(AlteredFormulas, ThatTooWeakAClaimLetsPassAreNotEqual) {
  const Result result = judge("", holds("", "", [](auto& p) {
                                const auto a = at_least(p, 1, "a"), b = at_least(p, 1, "b");
                                const auto [sum, difference] =
                                    p.subject([&] { return std::pair(a + b, a - b); });
                                p.claim("positive", 0 < sum);
                                p.claim("exact", difference == a - b);
                              }));
  EXPECT_EQ(result.verdict, Verdict::proved) << result.detail;
  EXPECT_THAT(result.mutants.refuted, ElementsAre(0, 1));
  const Result weak = judge("", holds("", "", [](auto& p) {
                              const auto a = at_least(p, 1, "a"), b = at_least(p, 1, "b");
                              p.claim("positive", 0 < p.subject([&] { return a + b + a * b; }) + 2 * b);
                            }));
  EXPECT_THAT(weak.mutants.equal, IsEmpty());
}

TEST(AlteredFormulas, ThatDifferWhereNoSampleLiesAreNotEqual) {
  const Result result = judge("", holds("", "", [](auto& p) {
                                const auto a = p.integer("a"), b = p.integer("b");
                                const auto least = p.subject([&] { return spec::min(a, b); });
                                p.claim("no larger", least - 1 <= a && least - 1 <= b);
                              }));
  EXPECT_THAT(result.mutants.all, ElementsAre(0, 1));
  EXPECT_THAT(result.mutants.refuted, ElementsAre(1));
  EXPECT_THAT(result.mutants.equal, IsEmpty());
  const Obligation far = holds("", "", [](auto& p) {
    const auto a = p.integer("a");
    p.claim("it", p.subject([&] { return spec::min(a, a - a + 1'234'567'891); }) <= a);
  });
  const auto compared = [&far](Answer answer) {
    return compare(far, 2,
                   [answer](const std::string&, const std::vector<Fact>& facts) {
                     EXPECT_EQ(ask(smtlib(facts, Products::named, ""), 0).answer, Answer::satisfiable);
                     return answer == Answer::unsatisfiable;
                   })
        .equal;
  };
  EXPECT_FALSE(compared(Answer::satisfiable));
}

TEST(AlteredFormulas, WhoseAssumptionsAreWiderAreNotEqual) {
  const Obligation loop = holds("", "", [](auto& p) {
    const auto a = p.integer("a"), b = p.integer("b");
    p.assume("in a loop", p.subject([&] { return a < b; }));
    p.claim("below", a <= b);
  });
  const auto by_solver = [](const std::string&, const std::vector<Fact>& facts) {
    return ask(smtlib(facts, Products::named, ""), 0).answer == Answer::unsatisfiable;
  };
  EXPECT_FALSE(compare(loop, 0, by_solver).equal);
}

/// The value of an integer and of a truth where variables have these values.
std::int64_t value_of(const Sym&, const std::map<std::string, std::int64_t>&);
std::int64_t value_of(const Formula& f, const std::map<std::string, std::int64_t>& values) {
  const auto part = [&](std::size_t i) { return value_of(f.parts().at(i), values) != 0; };
  switch (f.kind()) {
    case Formula::Kind::nonnegative:
      return value_of(f.value(), values) >= 0;
    case Formula::Kind::zero:
      return value_of(f.value(), values) == 0;
    case Formula::Kind::negation:
      return !part(0);
    case Formula::Kind::conjunction:
      return part(0) && part(1);
    case Formula::Kind::disjunction:
      return part(0) || part(1);
    case Formula::Kind::implication:
      return !part(0) || part(1);
    case Formula::Kind::equivalence:
      return part(0) == part(1);
  }
  return 0;
}
std::int64_t value_of(const Atom& atom, const std::map<std::string, std::int64_t>& values) {
  const auto& operands = atom.operands();
  if (operands.empty()) return values.at(atom.name());
  if (atom.condition()) return value_of(operands[value_of(*atom.condition(), values) != 0 ? 0 : 1], values);
  if (operands.size() == 1) return value_of(operands[0], values);
  return spec::floor_div(value_of(operands[0], values), value_of(operands[1], values));
}
std::int64_t value_of(const Sym& sym, const std::map<std::string, std::int64_t>& values) {
  std::int64_t sum = 0;
  for (const auto& [factors, coefficient] : sym.terms()) {
    std::int64_t term = coefficient;
    for (const Atom& factor : factors) term *= value_of(factor, values);
    sum += term;
  }
  return sum;
}

/// What the altered formula yields on some values, by symbols.
std::vector<std::int64_t> yields(const Obligation& obligation, const Values& values, Site altered) {
  Statement<Sym> statement;
  {
    const Altering altering({.altered = altered});
    obligation.symbols(statement);
  }
  std::map<std::string, std::int64_t> named;
  for (std::size_t i = 0; i < values.size(); ++i) named[statement.variables().at(i)] = values[i];
  std::vector<std::int64_t> all;
  for (const auto& part : statement.yields())
    all.push_back(std::visit([&](const auto& value) { return value_of(value, named); }, part));
  return all;
}

// That an altered operation is equal is shown of symbols, that it is refuted of numbers: both must mean the
// same operation.
TEST(AlteredFormulas, AreTheSameReadWithNumbersAndWithSymbols) {
  std::size_t compared = 0;
  for (const Subject& subject : subjects())
    for (const Obligation& obligation : subject.obligations) {
      if (obligation.expected != Verdict::proved) continue;
      if (tests::kSanitized && obligation.of_one_text) continue;
      Statement<Sym> statement;
      obligation.symbols(statement);
      const auto inside = samples(obligation, statement.variables().size());
      if (inside.empty()) continue;
      const Values& values = inside[inside.size() / 2];
      std::set<Site> sites;
      read(obligation, values, -1, &sites);
      for (const Site site : sites) {
        if (obligation.of_one_text && site % 4 != 0) continue;
        std::vector<std::int64_t> seen;
        if (!read(obligation, values, site, nullptr, &seen).inside) continue;
        EXPECT_EQ(yields(obligation, values, site), seen) << subject.name << "." << obligation.name << site;
        ++compared;
      }
    }
  EXPECT_GT(compared, tests::kSanitized ? 300u : 800u);
}

}  // namespace
}  // namespace wgradcheck::proofs
