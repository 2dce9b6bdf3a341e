#include "proofs/samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

namespace wgradcheck::proofs {
namespace {

constexpr int kSteps = 60'000;
constexpr int kStride = 15;  ///< neighbours on a walk tell little new
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

Reading read(const Obligation& obligation, const Values& values, Site altered, std::set<Site>* met,
             std::vector<std::int64_t>* seen) {
  const Altering altering({.altered = altered, .met = met});
  Statement<Number> statement(values, seen);
  Reading reading;
  try {
    obligation.numbers(statement);
    reading.inside = true;
    reading.broken = statement.broken().value_or("");
    reading.claims = statement.broken_claims();
  } catch (const NoDivisor&) {
    reading.divides = false;
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

Values smaller(const Obligation& obligation, Values witness) {
  const auto size = [](const Values& values) {
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [](double sum, std::int64_t v) { return sum + std::abs(static_cast<double>(v)); });
  };
  Walk ways(1);
  for (int step = 0; step < kSteps; ++step) {
    Values next = ways.next(witness);
    if (size(next) >= size(witness)) continue;
    const Reading reading = read(obligation, next);
    if (reading.inside && !reading.broken.empty()) witness = std::move(next);
  }
  return witness;
}

void Mutants::merge(const Mutants& other) {
  const auto equal_in = [](const Mutants& m, Site site) {
    return !m.all.contains(site) || m.equal.contains(site);
  };
  std::set<Site> either = equal;
  either.insert(other.equal.begin(), other.equal.end());
  std::erase_if(either, [&](Site site) { return !equal_in(*this, site) || !equal_in(other, site); });
  equal = std::move(either);
  all.insert(other.all.begin(), other.all.end());
  refuted.insert(other.refuted.begin(), other.refuted.end());
  apart.insert(other.apart.begin(), other.apart.end());
  others.insert(other.others.begin(), other.others.end());
  std::erase_if(others, [this](const auto& one) { return refuted.contains(one.first); });
}

Mutants mutants(const Obligation& obligation, const std::vector<Values>& samples) {
  Mutants mutants;
  std::vector<std::vector<std::int64_t>> usual(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) read(obligation, samples[i], -1, &mutants.all, &usual[i]);
  const auto refutes = [](const Reading& reading) { return reading.inside && !reading.broken.empty(); };
  for (const Site altered : mutants.all) {
    bool refuted = false;
    std::vector<std::size_t> differs;
    for (std::size_t i = 0; i < samples.size() && !refuted; ++i) {
      std::vector<std::int64_t> seen;
      const Reading reading = read(obligation, samples[i], altered, nullptr, &seen);
      refuted = refutes(reading) || !reading.divides;
      if (reading.inside) mutants.claims.insert(reading.claims.begin(), reading.claims.end());
      if (!reading.inside || seen != usual[i]) differs.push_back(i);
    }
    // Where the altered operation widens what is assumed, only values outside the samples tell. They are
    // sought from where it shows.
    const auto from =
        differs.empty() ? static_cast<std::size_t>(altered) % samples.size() : differs[differs.size() / 2];
    if (!refuted && !samples.front().empty())
      walk(obligation, samples[from], kMutantSteps, 1, altered,
           [&](int, const Values&, const Reading& reading) { return refuted = refutes(reading); });
    if (refuted)
      mutants.refuted.insert(altered);
    else if (!differs.empty())
      mutants.apart.insert(altered);
  }
  return mutants;
}

}  // namespace wgradcheck::proofs
