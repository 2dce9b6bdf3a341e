#include "proofs/samples.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace wgradcheck::proofs {
namespace {

constexpr int kSteps = 50'000;
constexpr int kStride = 12;  ///< neighbours on a walk tell little new

/// Random steps of a walk through the values of some variables.
class Walk {
 public:
  /// The same values but for one to three variables, which get one and the same new value: what equals or
  /// divides another must change with it.
  Values next(const Values& from) {
    Values to = from;
    const std::int64_t value = fresh(from);
    for (auto changes = below(3) + 1; changes > 0; --changes) to[below(to.size())] = value;
    return to;
  }

 private:
  std::size_t below(std::size_t count) { return engine_() % count; }
  std::int64_t fresh(const Values& from) {
    const std::int64_t old = from[below(from.size())];
    const auto small = static_cast<std::int64_t>(below(5));
    switch (below(20)) {
      case 0:
      case 1:
        return old;
      case 2:
        return old + 1;
      case 3:
      case 4:
        return old - 1;
      case 5:
        return old < std::int64_t{1} << 40 ? 2 * old : old;
      case 6:
        return std::int64_t{1} << below(32);
      case 7:
        return -small;
      default:
        return small;
    }
  }
  std::mt19937_64 engine_{1};
};

}  // namespace

Reading read(const Obligation& obligation, const Values& values, Site altered, std::set<Site>* met) {
  Mutation::current() = {.altered = altered, .met = met};
  Statement<Number> statement(values);
  Reading reading;
  try {
    obligation.numbers(statement);
    reading.inside = true;
    reading.broken = statement.broken().value_or("");
  } catch (const Outside&) {
  } catch (const spec::Overflow&) {
  }
  reading.assumed = statement.assumed();
  return reading;
}

std::vector<Values> samples(const Obligation& obligation, std::size_t variables, const Values& start) {
  if (variables == 0) return {{}};
  Walk walk;
  Values here = start.empty() ? Values(variables, 1) : start;
  Reading reading = read(obligation, here);
  std::set<Values> found;
  if (reading.inside) found.insert(here);
  for (int step = 0; step < kSteps; ++step) {
    Values there = walk.next(here);
    const Reading next = read(obligation, there);
    if (next.inside < reading.inside || next.assumed < reading.assumed) continue;
    here = std::move(there);
    reading = next;
    if (reading.inside && step % kStride == 0) found.insert(here);
  }
  return {found.begin(), found.end()};
}

Mutants mutants(const Obligation& obligation, const std::vector<Values>& samples) {
  Mutants mutants;
  for (const Values& values : samples) read(obligation, values, -1, &mutants.all);
  for (const Site altered : mutants.all)
    if (std::ranges::any_of(samples, [&](const Values& values) {
          const Reading reading = read(obligation, values, altered);
          return reading.inside && !reading.broken.empty();
        }))
      mutants.refuted.insert(altered);
  return mutants;
}

}  // namespace wgradcheck::proofs
