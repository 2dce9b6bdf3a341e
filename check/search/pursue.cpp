#include "check/search/pursue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/search/trial.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::size_t kRepeats = 4;

/// While a hang is made smaller a case that takes longer than this counts as one, in seconds; the smallest is
/// then given its full time.
constexpr double kHangLimit = 0.25;

const Finding* shown(const Ruling& ruling, Property p) {
  const auto found = std::ranges::find_if(
      ruling.findings, [p](const Finding& f) { return f.property == p && f.counterexample; });
  return found == ruling.findings.end() ? nullptr : &*found;
}

/// How a trial fails in a row of identical calls, the first of which is the first in its process.
enum class Steadiness { always, never_first, first_only, after_others, sometimes, not_repeated };

struct Repeated {
  Steadiness steadiness;
  std::ptrdiff_t failing;
};

/// Whether it fails once the same call was made with other numbers, as where those are kept.
bool fails_after_others(Court& court, const Trial& trial, Property p) {
  const Trial others = with_other_data(trial);
  court.restart();
  court.judge(std::span(&others, 1));
  return shown(court.judge(std::span(&trial, 1)).front(), p) != nullptr;
}

Repeated repeat(Court& court, const Trial& trial, Property p) {
  court.restart();
  const std::vector<Trial> again(kRepeats, trial);
  std::vector<bool> failed;
  for (const Ruling& r : court.judge(again)) {
    // What could not be paid for says nothing.
    if (r.outcome.open) return {Steadiness::not_repeated, 0};
    failed.push_back(shown(r, p) != nullptr);
  }
  const auto failing = std::ranges::count(failed, true);
  if (failing == 0 && fails_after_others(court, trial, p)) return {Steadiness::after_others, 0};
  if (failing == std::ssize(failed)) return {Steadiness::always, failing};
  if (failing == 1 && failed.front()) return {Steadiness::first_only, failing};
  if (failing == std::ssize(failed) - 1 && !failed.front()) return {Steadiness::never_first, failing};
  return {Steadiness::sometimes, failing};
}

std::string in_words(const Repeated& r) {
  switch (r.steadiness) {
    case Steadiness::always:
      return "";
    case Steadiness::first_only:
      return ", but only in the first call of a process";
    case Steadiness::not_repeated:
      return ", not repeated: no launch is left";
    case Steadiness::after_others:
      return ", but only after the same call with other numbers: it keeps something of earlier calls";
    case Steadiness::never_first:
      return ", but not in the first call of a process: it depends on earlier calls";
    case Steadiness::sometimes:
      break;
  }
  return fmt::format(" (not reproducible: {} of {} identical runs fail{})", r.failing, kRepeats,
                     r.failing == 0 ? "; it may keep something of calls of other shapes, or race" : "");
}

}  // namespace

Counterexample pursue(Court& court, const Domain& domain, const Trial& trial, const Seen& seen,
                      const Pursuit& how) {
  const auto& [finding, outcome] = seen;
  const Property p = finding.property;
  Counterexample found;
  found.trial = {trial.test, fill_for(trial.fill, court.promises())};
  found.finding = finding;
  found.first = trial.test;
  found.learn_from(outcome);
  if (finding.of_two_calls) return found;
  // A hang takes the whole time limit, so it is not repeated.
  const bool once = p == Property::hang || !court.capabilities().repeats;
  const Repeated repeated = once ? Repeated{Steadiness::always, 0} : repeat(court, trial, p);
  found.finding.detail += in_words(repeated);
  found.steady = repeated.steadiness == Steadiness::always || repeated.steadiness == Steadiness::not_repeated;
  if (!found.steady) return found;
  if (how.shrink) {
    const auto end = std::chrono::steady_clock::now() + how.time;
    const auto over = [&] {
      return std::chrono::steady_clock::now() > end || court.launches_left() <= how.reserve;
    };
    if (p == Property::hang) court.limit(kHangLimit);
    const Shrunk shrunk = shrink(court, domain, trial, p, over);
    if (p == Property::hang) court.limit({});
    found.open = shrunk.open;
    const Trial least{shrunk.least, found.trial.fill};
    // A race may take more than one run to show again.
    Ruling minimal;
    for (std::size_t run = 0; run < (once ? 1 : kRepeats) && !shown(minimal, p); ++run)
      minimal = court.judge(std::span(&least, 1)).front();
    if (const Finding* const f = shown(minimal, p)) {
      found.trial = least;
      found.learn_from(minimal.outcome);
      found.neighbours = shrunk.neighbours;
      found.finding = *f;
    }
  }
  // What a larger case computes is not worth a round of its own.
  if (p == Property::formula && !found.open)
    found.diagnosis = diagnose(court, found.trial, how.others, how.spare);
  return found;
}

std::string in_passing(const Counterexample& c) {
  return fmt::format("{}: {}, at {}; it came and went, and is not followed further",
                     name_of(c.finding.property), c.finding.detail, spec::to_line(c.trial.test.shape));
}

}  // namespace wgradcheck::check
