#include "check/search/trial.hpp"

#include <algorithm>

#include "check/judge/number.hpp"
#include "check/search/refusal.hpp"
#include "check/search/rounds.hpp"

namespace wgradcheck::check {

bool shows(const Ruling& ruling, Property p) {
  return std::ranges::any_of(ruling.findings,
                             [p](const Finding& f) { return f.property == p && f.counterexample; });
}

bool fails(Court& court, const Trial& trial, Property p) {
  return shows(court.judge(std::span(&trial, 1)).front(), p);
}

std::vector<Trial> trials_of(std::span<const Case> cases, const Fill& fill) {
  std::vector<Trial> trials;
  for (const Case& c : cases) trials.push_back({c, fill});
  return trials;
}

namespace {

/// Whether it does so twice more: what comes and goes would shrink to a case that does not fail.
bool fails_again(Court& court, const Trial& trial, Property p) {
  const std::vector<Trial> twice(2, trial);
  return std::ranges::all_of(court.judge(twice), [p](const Ruling& r) { return shows(r, p); });
}

/// All of the cases, as many at once as the executor takes, until all is spent.
std::vector<Tried> try_all(Court& court, std::span<const Case> cases, const Fill& fill, Property p,
                           const Over& over) {
  const auto batch = static_cast<std::size_t>(court.capabilities().batch);
  std::vector<Tried> tried;
  while (tried.size() < cases.size() && !over())
    for (const Ruling& r : court.judge(
             trials_of(cases.subspan(tried.size(), std::min(batch, cases.size() - tried.size())), fill)))
      tried.push_back(shows(r, p)                                    ? Tried::fails
                      : r.outcome.open                               ? Tried::open
                      : r.outcome.status == Outcome::Status::not_run ? Tried::not_run
                                                                     : Tried::passes);
  tried.resize(cases.size(), Tried::open);
  return tried;
}

/// Significant bits of the accumulator for which data are masked, where a height is promised that they tell.
int masked_for(const Promises& promises, DType t) {
  const auto height = promises.height();
  const int bits = promises.accumulator_bits().value_or(significant_bits(t));
  return height && height->kind != Height::Kind::sequential && can_mask(bits) ? bits : 0;
}

/// Whether a kernel that promises so can be held to what it does with Inf and NaN, or with subnormals.
bool may_be_non_finite(const Promises& promises) { return !promises.is_fft(); }
bool may_be_subnormal(const Promises& promises) {
  // A transform halves, which subnormals need not survive.
  return promises.keeps_subnormals() != false && promises.is_direct() != false;
}

}  // namespace

Fill nth_fill(std::int64_t k, int exact_bits, const Promises& promises, DType t) {
  constexpr int kEvery = 8;
  constexpr int kSmallBits = 7;  // of sums of small data: subnormals of bfloat16 have as many
  Fill fill{.exact_bits = exact_bits};
  fill.non_finite = k % kEvery == 7 && may_be_non_finite(promises);
  fill.masked = k % kEvery == 1 ? masked_for(promises, t) : 0;
  fill.rounds = k % kEvery == 3 || fill.masked != 0;
  fill.subnormal = k % kEvery == 5 && may_be_subnormal(promises);
  // Sums must fit the bits that subnormals have; a number that an infinite one was cut down to stays finite.
  if (fill.subnormal || fill.non_finite) fill.exact_bits = std::min(fill.exact_bits, kSmallBits);
  return fill;
}

std::vector<Trial> nth_trials(const rc::Gen<Case>& generator, std::uint64_t seed,
                              std::pair<std::int64_t, std::int64_t> numbers, int exact_bits,
                              const Promises& promises) {
  constexpr std::int64_t kInvalidEvery = 5;
  std::vector<Trial> trials;
  for (std::int64_t k = numbers.first; k < numbers.second; ++k) {
    const Case c = nth_case(generator, seed, k);
    trials.push_back({c, nth_fill(k, exact_bits, promises, c.dtype)});
    if (!promises.refuses() || k % kInvalidEvery) continue;
    if (auto invalid = made_invalid(c, k / kInvalidEvery)) trials.push_back({*invalid, {}});
  }
  return trials;
}

std::vector<Trial> asked_again(const Domain& domain, const Promises& promises, std::vector<Trial> trials) {
  std::erase_if(trials, [&](Trial& t) {
    return (t.test.tamper.any() && !promises.refuses()) ||
           (t.test.bias != Bias::none && promises.bias() != t.test.bias) ||
           (t.fill.non_finite && !may_be_non_finite(promises)) ||
           (t.fill.subnormal && !may_be_subnormal(promises)) || admit(domain, t.test).has_value();
  });
  return trials;
}

std::vector<Trial> large_trials(const rc::Gen<Case>& generator, std::uint64_t seed, std::int64_t most,
                                int exact_bits, const Shard& shard) {
  constexpr std::int64_t kEnough = 40, kLargest = 100;  // sizes grow with the number modulo 101
  std::vector<Trial> trials;
  for (std::int64_t i = shard.index; i < std::min(kEnough, most); i += shard.count)
    trials.push_back({nth_case(generator, seed, kLargest - i), {.exact_bits = exact_bits}});
  return trials;
}

Trial with_other_data(Trial trial) {
  trial.test.seed ^= 1;
  return trial;
}

Trial listed_trial(const Domain& domain, const spec::Shape& shape, std::uint32_t core_mask, std::int64_t k) {
  return {.test = {.shape = shape,
                   .core_mask = core_mask,
                   .placement = kPlacements[static_cast<std::size_t>(k) % kPlacements.size()],
                   .implementation = domain.implementations.front(),
                   .seed = static_cast<std::uint64_t>(k)},
          .fill = {}};
}

Shrunk shrink(Court& court, const Domain& domain, const Trial& trial, Property property, const Over& over) {
  const Capabilities can = court.capabilities();
  const bool hangs = property == Property::hang;
  if (can.rounds && !hangs)
    return shrink_in_rounds(
        domain, trial.test,
        [&](std::span<const Case> cases) { return try_all(court, cases, trial.fill, property, over); }, over);
  // Each candidate that hangs takes the time limit of a case.
  const std::size_t batch = hangs || !can.cheap ? 1 : static_cast<std::size_t>(can.batch);
  bool open = false;
  std::int64_t refused = 0;  // of those tried since the last that failed
  const auto first_failing = [&](std::span<const Case> candidates) {
    const std::vector<Trial> trials = trials_of(candidates, trial.fill);
    const auto rulings = court.judge(trials);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      open = open || rulings[i].outcome.open;
      refused += rulings[i].outcome.status == Outcome::Status::not_run;
      if (!shows(rulings[i], property)) continue;
      if (!hangs && can.repeats && !fails_again(court, trials[i], property)) continue;
      refused = 0;
      return static_cast<std::ptrdiff_t>(i);
    }
    return std::ptrdiff_t{-1};
  };
  Shrunk shrunk = shrink(domain, trial.test, first_failing, batch, over);
  shrunk.neighbours = open ? 0 : std::max<std::int64_t>(shrunk.neighbours - refused, 0);
  return shrunk;
}

}  // namespace wgradcheck::check
