#include "check/search/learn.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "check/search/domain.hpp"
#include "check/search/expression.hpp"
#include "check/search/trial.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::ptrdiff_t kLeast = 10;  ///< examples of either kind
constexpr std::size_t kMostTerms = 3;
constexpr std::ptrdiff_t kWorthwhile = 30;  ///< a term excludes one in so many of the passing examples
constexpr std::ptrdiff_t kMostly = 50;      ///< percent

/// A size of a case under the name that a condition calls it by.
struct Feature {
  std::string name;
  std::function<std::int64_t(const Case&)> of;
};

std::int64_t chunks(const Case& c) {
  if (c.host) return 1;
  return spec::ceil_div(c.shape.height.output * c.shape.width.output, spec::chunk(call_of(c)));
}

const std::vector<Feature>& features() {
  static const std::vector<Feature> all = [] {
    std::vector<Feature> list;
    const auto names = field_names();
    for (std::size_t i = 0; i < names.size(); ++i)
      list.push_back(
          {names[i], [i](const Case& c) { return field_value(c.shape, static_cast<std::int64_t>(i)); }});
    list.push_back({"ic/g", [](const Case& c) { return spec::in_per_group(c.shape); }});
    list.push_back({"oc/g", [](const Case& c) { return spec::out_per_group(c.shape); }});
    list.push_back({"cores", [](const Case& c) { return std::int64_t{c.cores()}; }});
    list.push_back({"chunks", chunks});
    return list;
  }();
  return all;
}

/// The strictest comparison of each kind that holds on all failing examples.
std::vector<Condition> candidates(std::span<const Example> examples) {
  std::vector<Feature> varying;
  for (const Feature& f : features())
    if (std::ranges::any_of(examples,
                            [&](const Example& e) { return f.of(e.test) != f.of(examples[0].test); }))
      varying.push_back(f);
  std::vector<Condition> terms;
  for (const Feature& f : varying) {
    std::int64_t least = INT64_MAX, most = INT64_MIN;
    for (const Example& e : examples) {
      if (!e.fails) continue;
      least = std::min(least, f.of(e.test));
      most = std::max(most, f.of(e.test));
    }
    const auto of = f.of;
    terms.push_back({fmt::format("{}>{}", f.name, least - 1), [=](const Case& c) { return of(c) >= least; }});
    terms.push_back({fmt::format("{}<={}", f.name, most), [=](const Case& c) { return of(c) <= most; }});
    for (const std::int64_t m : {2, 4, 8, 16, 32}) {
      terms.push_back({fmt::format("{}%{}!=0", f.name, m), [=](const Case& c) { return of(c) % m != 0; }});
      terms.push_back({fmt::format("{}%{}==0", f.name, m), [=](const Case& c) { return of(c) % m == 0; }});
    }
    for (const Feature& other : varying) {
      if (f.name.size() != 2 || other.name.size() != 2 || f.name[0] != other.name[0] || f.name >= other.name)
        continue;
      const auto to = other.of;
      terms.push_back({f.name + "!=" + other.name, [=](const Case& c) { return of(c) != to(c); }});
    }
  }
  std::erase_if(terms, [&](const Condition& t) {
    return std::ranges::any_of(examples, [&](const Example& e) { return e.fails && !t.holds(e.test); });
  });
  return terms;
}

}  // namespace

std::optional<Condition> learn(std::span<const Example> examples) {
  std::vector<const Case*> passing;
  for (const Example& e : examples)
    if (!e.fails) passing.push_back(&e.test);
  if (std::ssize(passing) < kLeast || std::ssize(examples) - std::ssize(passing) < kLeast) return {};
  const std::vector<Condition> terms = candidates(examples);
  std::vector<Condition> used;
  const auto all_passing = std::ssize(passing);
  while (!passing.empty() && used.size() < kMostTerms) {
    const auto excluded = [&](const Condition& t) {
      return std::ranges::count_if(passing, [&](const Case* c) { return !t.holds(*c); });
    };
    const auto best = std::ranges::max_element(terms, {}, excluded);
    if (best == terms.end() || excluded(*best) * kWorthwhile < all_passing) break;
    used.push_back(*best);
    std::erase_if(passing, [&](const Case* c) { return !best->holds(*c); });
  }
  if (used.empty()) return {};
  std::vector<std::string> texts;
  for (const Condition& term : used) texts.push_back(term.text);
  return Condition{fmt::format("{}", fmt::join(texts, " && ")), [used](const Case& c) {
                     return std::ranges::all_of(used, [&](const Condition& term) { return term.holds(c); });
                   }};
}

std::string fails_where(Court& court, std::span<const Case> cases, int exact_bits) {
  const std::vector<Ruling> rulings = court.judge(trials_of(cases, {.exact_bits = exact_bits}));
  std::vector<Example> examples;
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (rulings[i].outcome.status == Outcome::Status::returned)
      examples.push_back({cases[i], shows(rulings[i], Property::formula)});
  return condition_of(examples);
}

std::string condition_of(std::span<const Example> examples) {
  const auto condition = learn(examples);
  if (!condition) return "";
  std::ptrdiff_t holds = 0, fails = 0;
  for (const Example& e : examples) {
    holds += condition->holds(e.test);
    fails += e.fails;
  }
  const std::ptrdiff_t percent = 100 * fails / holds;
  if (percent < kMostly) return "";
  return fmt::format("It fails only where {}, on {} of {} such cases; {} were tried.", condition->text, fails,
                     holds, examples.size());
}

}  // namespace wgradcheck::check
