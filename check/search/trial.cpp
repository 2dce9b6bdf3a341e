#include "check/search/trial.hpp"

#include <algorithm>

namespace wgradcheck::check {

bool shows(const Ruling& ruling, Property p) {
  return std::ranges::any_of(ruling.findings,
                             [p](const Finding& f) { return f.property == p && f.counterexample; });
}

bool fails(Court& court, const Trial& trial, Property p) {
  return shows(court.judge(std::span(&trial, 1)).front(), p);
}

namespace {

/// Whether it does so twice more: what comes and goes would shrink to a case that does not fail.
bool fails_again(Court& court, const Trial& trial, Property p) {
  const std::vector<Trial> twice(2, trial);
  return std::ranges::all_of(court.judge(twice), [p](const Ruling& r) { return shows(r, p); });
}

}  // namespace

Shrunk shrink(Court& court, const Domain& domain, const Trial& trial, Property property,
              std::chrono::seconds limit) {
  // Each candidate that hangs takes the time limit of a case.
  const std::size_t batch =
      property == Property::hang ? 1 : static_cast<std::size_t>(court.capabilities().batch);
  const auto first_failing = [&](std::span<const Case> candidates) {
    std::vector<Trial> trials;
    for (const Case& c : candidates) trials.push_back({c, trial.fill});
    const auto rulings = court.judge(trials);
    for (std::size_t i = 0; i < trials.size(); ++i)
      if (shows(rulings[i], property) && (batch == 1 || fails_again(court, trials[i], property)))
        return static_cast<std::ptrdiff_t>(i);
    return std::ptrdiff_t{-1};
  };
  return shrink(domain, trial.test, first_failing, batch, limit);
}

}  // namespace wgradcheck::check
