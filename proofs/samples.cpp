#include "proofs/samples.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace wgradcheck::proofs {
namespace {

constexpr int kSteps = 20'000;
constexpr int kStride = 5;  ///< neighbours on a walk tell little new
constexpr int kMutantSteps = 800;

/// Random steps of a walk through the values of some variables.
class Walk {
 public:
  explicit Walk(std::uint64_t seed) : engine_(seed) {}

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
  std::mt19937_64 engine_;
};

/// Goes from values to values, never further out of what is assumed, until visit(step, values, reading) is
/// true.
template <class Visit>
void walk(const Obligation& obligation, Values here, int steps, std::uint64_t seed, Site altered,
          const Visit& visit) {
  Walk ways(seed);
  Reading reading = read(obligation, here, altered);
  if (visit(0, here, reading)) return;
  for (int step = 0; step < steps; ++step) {
    Values there = ways.next(here);
    const Reading next = read(obligation, there, altered);
    if (next.inside < reading.inside || next.assumed < reading.assumed) continue;
    here = std::move(there);
    reading = next;
    if (visit(step, here, reading)) return;
  }
}

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
  std::set<Values> found;
  walk(obligation, start.empty() ? Values(variables, 1) : start, kSteps, 1, -1,
       [&](int step, const Values& here, const Reading& reading) {
         if (reading.inside && step % kStride == 0) found.insert(here);
         return false;
       });
  return {found.begin(), found.end()};
}

Mutants mutants(const Obligation& obligation, const std::vector<Values>& samples) {
  Mutants mutants;
  for (const Values& values : samples) read(obligation, values, -1, &mutants.all);
  const auto refutes = [](const Reading& reading) { return reading.inside && !reading.broken.empty(); };
  for (const Site altered : mutants.all) {
    bool refuted = std::ranges::any_of(
        samples, [&](const Values& values) { return refutes(read(obligation, values, altered)); });
    // Where the altered operation widens what is assumed, only values outside the samples tell.
    if (!refuted && !samples.front().empty())
      walk(obligation, samples[static_cast<std::size_t>(altered) % samples.size()], kMutantSteps, 1, altered,
           [&](int, const Values&, const Reading& reading) { return refuted = refutes(reading); });
    if (refuted) mutants.refuted.insert(altered);
  }
  return mutants;
}

}  // namespace wgradcheck::proofs
