#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "proofs/given.hpp"
#include "proofs/samples.hpp"
#include "proofs/solver.hpp"
#include "proofs/traced.hpp"

/// The readings of a formula say the same of the same integers.
namespace wgradcheck::proofs {
namespace {

using testing::ElementsAre;

/// An expression over variables as steps on a stack of values.
struct Step {
  int operation;  // 0 +, 1 -, 2 *, 3 push a constant, 4 push a variable
  int operand;
};

template <class Int, class Variable>
std::vector<Int> run(const std::vector<Step>& steps, Variable variable) {
  std::vector<Int> stack{Int(1)};
  for (const auto& [operation, operand] : steps) {
    const Int top = stack.back();
    if (operation == 3 || stack.size() < 2)
      stack.push_back(Int(operand - 3));
    else if (operation == 4)
      stack.push_back(variable(operand));
    else {
      stack.pop_back();
      const Int under = stack.back();
      stack.pop_back();
      stack.push_back(operation == 0 ? under + top : operation == 1 ? under - top : under * top);
    }
  }
  return stack;
}

/// The value of a polynomial where its variables have these values.
std::int64_t value_of(const Sym& sym, const std::map<std::string, std::int64_t>& values) {
  std::int64_t sum = 0;
  for (const auto& [factors, coefficient] : sym.terms()) {
    std::int64_t term = coefficient;
    for (const Atom& factor : factors) term *= values.at(factor.name());
    sum += term;
  }
  return sum;
}

RC_GTEST_PROP(Symbols, HaveTheValueOfTheExpressionThatMadeThem, ()) {
  const auto steps = *rc::gen::resize(12, rc::gen::container<std::vector<Step>>(rc::gen::construct<Step>(
                                              rc::gen::inRange(0, 5), rc::gen::inRange(0, 6))));
  std::map<std::string, std::int64_t> values;
  for (int i = 0; i < 6; ++i) values["v" + std::to_string(i)] = *rc::gen::inRange(-3, 4);
  const auto name = [](int operand) { return "v" + std::to_string(operand); };
  const auto symbols = run<Sym>(steps, [&](int i) { return Sym::variable(name(i)); });
  const auto numbers = run<Number>(steps, [&](int i) { return Number(values.at(name(i))); });
  RC_ASSERT(symbols.size() == numbers.size());
  for (std::size_t i = 0; i < symbols.size(); ++i)
    RC_ASSERT(value_of(symbols[i], values) == numbers[i].value().value());
}

/// Whether a formula holds of all integers, by Z3 with products multiplied.
bool always(const Formula& formula) {
  const std::vector<Fact> facts{{"not it", !formula}};
  return ask(smtlib(facts, Products::multiplied, ""), 0).answer == Answer::unsatisfiable;
}

RC_GTEST_PROP(Symbols, DivideAndChooseAsNumbersDo, ()) {
  const std::int64_t a = *rc::gen::inRange(-50, 50), b = *rc::gen::inRange(1, 9);
  RC_ASSERT(always(spec::floor_div(Sym(a), Sym(b)) == spec::floor_div(a, b)));
  RC_ASSERT(always(spec::ceil_div(Sym(a), Sym(b)) == spec::ceil_div(a, b)));
  RC_ASSERT(always(spec::min(Sym(a), Sym(b)) == spec::min(a, b)));
  RC_ASSERT(always(spec::max(Sym(a), Sym(b)) == spec::max(a, b)));
}

TEST(Symbols, SayNothingOfAQuotientByZero) {
  EXPECT_FALSE(always(spec::floor_div(Sym(1), Sym(0)) == 0));
  EXPECT_FALSE(always(spec::floor_div(Sym(1), Sym(0)) != 0));
}

TEST(Symbols, AreTheSameWhereTheirPolynomialsAre) {
  const Sym a = Sym::variable("a"), b = Sym::variable("b");
  EXPECT_EQ(to_string((a + b) * (a - b)), to_string(a * a - b * b));
  EXPECT_EQ(to_string(spec::floor_div(a + b - a, b)), to_string(spec::floor_div(b, b)));
}

TEST(Symbols, RefuseACoefficientThatLeaves64Bits) {
  const Sym large = Sym(std::int64_t{1} << 62) * Sym::variable("a");
  EXPECT_THROW(large + large, spec::Overflow);
}

TEST(Queries, NameProductsOrMultiplyThem) {
  const Sym a = Sym::variable("a"), b = Sym::variable("b");
  const std::vector<Fact> facts{{"the fact", 2 * a * b - 3 <= spec::floor_div(a, b)}};
  EXPECT_EQ(smtlib(facts, Products::named, "words").script,
            "; words\n"
            "(set-logic QF_LIA)\n"
            "; floor.1 is floor((a)/(b))\n"
            "(declare-const |floor.1| Int)\n"
            "(declare-const |a| Int)\n"
            "(declare-const |b| Int)\n"
            "(declare-const |a*b| Int)\n"
            "(declare-const |b*floor.1| Int)\n"
            "(assert (! (>= (+ 3 |floor.1|) (* 2 |a*b|)) :named |1 the fact|))\n"
            "(assert (! (=> (>= |b| 1) (and (>= |a| |b*floor.1|) (>= (+ |b| |b*floor.1|) (+ 1 |a|)))) "
            ":named |2 floor.1|))\n"
            "(check-sat)\n");
  EXPECT_THAT(smtlib(facts, Products::multiplied, "").script, testing::HasSubstr("(* 2 (* |a| |b|))"));
}

TEST(Queries, AreAnsweredAlikeUnderEverySeed) {
  const Sym a = Sym::variable("a");
  const std::vector<Fact> none{{"low", a <= 1}, {"idle", a <= 7}, {"high", 2 <= a}}, some{{"low", a <= 1}};
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Reply reply = ask(smtlib(none, Products::named, ""), seed);
    EXPECT_EQ(reply.answer, Answer::unsatisfiable);
    EXPECT_THAT(reply.core, testing::UnorderedElementsAre("low", "high"));
    EXPECT_EQ(ask(smtlib(some, Products::named, ""), seed).answer, Answer::satisfiable);
  }
}

TEST(TracedValues, AreThoseThatAFormulaForms) {
  std::vector<Number> trace;
  const Traced<Number> a(7, trace), b(2, trace);
  spec::ceil_div(a, b);
  std::vector<std::int64_t> values;
  for (const Number& n : trace) values.push_back(n.value().value());
  EXPECT_THAT(values, ElementsAre(-7, -4, 4));
}

TEST(Mutants, AlterOneOperationEach) {
  const auto obligation = holds("", "", [](auto& p) {
    const auto a = p.integer("a"), b = p.integer("b");
    const auto value = p.subject([&] { return spec::floor_div(a * b + 1, b) - a; });
    p.claim("exact", value == 0);
  });
  std::set<Site> met;
  read(obligation, {5, 3}, -1, &met);
  EXPECT_THAT(met, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(read(obligation, {5, 3}).broken, "");
  for (int altered = 0; altered < 4; ++altered) {
    const Reading reading = read(obligation, {5, 3}, altered);
    EXPECT_TRUE(reading.inside);
    EXPECT_EQ(reading.broken, "exact") << altered;
  }
}

/// Whether values satisfy what an obligation is given.
template <class Given>
bool inside(const Values& values, Given given) {
  const auto obligation = holds("", "", [given](auto& p) { given(p); });
  return read(obligation, values).inside;
}

RC_GTEST_PROP(GivenShapes, AreThoseThatTheSpecificationAdmits, ()) {
  Values v;
  for (int i = 0; i < 22; ++i)
    v.push_back(*rc::gen::weightedElement<std::int64_t>({{8, 1}, {4, 2}, {2, 4}, {1, 0}}));
  const auto axis = [&v](std::size_t i) {
    return spec::Axis<std::int64_t>{v[i + 5], v[i + 4], v[i], v[i + 1], v[i + 2], v[i + 3]};
  };
  const spec::Shape shape{v[18], v[19], v[20], v[21], axis(0), axis(6), axis(12)};
  RC_ASSERT(inside(v, [](auto& p) { given_shape(p); }) == !spec::refuse(shape));
}

RC_GTEST_PROP(GivenCalls, AreThoseThatAreValid, ()) {
  Values v;
  for (int i = 0; i < 21; ++i)
    v.push_back(*rc::gen::weightedElement<std::int64_t>({{30, 1}, {4, 2}, {1, 0}}));
  v[1] = *rc::gen::element<std::int64_t>(2, 4);  // elem_bytes
  v.push_back(*rc::gen::inRange(0, 200));        // buffer_size_
  v.push_back(*rc::gen::inRange(0, 2000));       // limit
  struct {
    const Values& values;
    std::size_t next;
    std::int64_t integer(const Label&) { return values[next++]; }
    void assume(const Label&, bool) {}
  } reading{v, 0};
  const auto call = any_call(reading);
  RC_ASSERT(inside(v, [](auto& p) { valid_call(p); }) == !spec::refuse(call));
}

}  // namespace
}  // namespace wgradcheck::proofs
