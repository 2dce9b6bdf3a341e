#include "check/search/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "check/judge/number.hpp"
#include "check/search/explain.hpp"
#include "check/search/history.hpp"
#include "check/search/learn.hpp"
#include "check/search/pursue.hpp"
#include "check/search/run_count.hpp"
#include "check/search/trial.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kOthers = 120;     ///< cases on which a diagnosis is tried
constexpr std::int64_t kDearOthers = 40;  ///< the same where calls cost much
constexpr std::int64_t kExamples = 800;   ///< cases that tell slips apart, and on which a failure is learnt
constexpr std::size_t kFleeting = 4;  ///< failures that come and go after which a steady one is not expected
constexpr std::chrono::seconds kShrinkTime{20}, kDearShrinkTime{120};

class Session {
 public:
  Session(Executor& executor, const Promises& promises, const Plan& plan, const Watcher& watcher)
      : promises_(promises),
        court_(executor, promises_),
        plan_(plan),
        skip_(plan.skip),
        domain_(plan.domain),
        watcher_(watcher),
        end_(std::chrono::steady_clock::now() + plan.time),
        generator_(cases(domain_, plan.aims)),
        count_(*domain_.abi),
        can_(court_.capabilities()),
        launches_(court_.launches_left()) {
    const auto [least, most] = std::ranges::minmax(domain_.core_masks, {}, std::popcount<std::uint32_t>);
    verdict_.least_cores = std::popcount(least);
    verdict_.cores = std::popcount(most);
    verdict_.seed = plan.seed;
    if (plan.against) court_.keep_results();
    if (!can_.memory) skip_.insert(Property::memory);
    for (const Property p : skip_) verdict_.channels_skipped.push_back(name_of(p));
    // What would be a note of a 16-bit kernel is not worth calls that cost much.
    if (!can_.cheap && !promises.accumulator_bits()) exact_bits_ = significant_bits(domain_.abi->dtype);
  }

  Verdict search(Executor* sanitized) {
    for (const Trial& t : plan_.first) {
      const std::size_t known = found_.size(), most = can_.repeats && can_.cheap ? repeats_of(t.test) : 1;
      for (std::size_t n = 0; n < most && found_.size() == known; ++n) run_batch({&t, 1});
      if (most > 1 && found_.size() == known) run_again(with_other_data(t));
    }
    plan_.shapes.empty() ? run_generated() : run_shapes();
    // Under sanitizers a hang takes several times as long, and a kernel that is astray was seen so already.
    constexpr std::array kAstray{Property::memory, Property::crash, Property::hang};
    if (sanitized && !ended_early() && !skip_.contains(Property::memory) &&
        std::ranges::none_of(kAstray, [this](Property p) { return found_.contains(p); }))
      run_sanitized(*sanitized);
    return conclude();
  }

 private:
  /// The other half of the launches is for failures.
  bool over() const {
    return stop_ || plan_.stopped() || std::chrono::steady_clock::now() > end_ ||
           court_.launches_left() <= launches_ / 2;
  }

  /// Whether one counterexample was enough, or the search was told to end.
  bool ended_early() const { return (stop_ && plan_.stop_at_first) || plan_.stopped(); }

  void run_generated() {
    const auto [first, last] = plan_.shard.part_of(plan_.cases);
    std::int64_t i = first;
    for (; i < last && !over(); i += can_.batch) {
      const std::int64_t end = std::min(i + can_.batch, last);
      const auto trials = plan_.source
                              ? plan_.source->next(domain_, court_.promises(), exact_bits_, end - i)
                              : nth_trials(generator_, plan_.seed, {i, end}, exact_bits_, court_.promises());
      run_batch(trials);
      if (can_.cheap && can_.repeats) run_again(trials[static_cast<std::size_t>(i) % trials.size()]);
      watcher_.progress(end - first, last - first);
    }
    if (i < last && ended_early()) count_.skip("the search was stopped before it", last - i, true);
    // The floors of classes are those of the whole run.
    for (std::int64_t k = 0; plan_.shard.count > 1 && !ended_early() && k < plan_.cases; ++k)
      if (k < first || k >= last) count_.add_elsewhere(nth_case(generator_, plan_.seed, k));
  }

  /// Makes the same call twice more in one place, the second time with other numbers, in case the kernel
  /// keeps something of the call before.
  void run_again(const Trial& trial) {
    const Trial others = with_other_data(trial);
    for (const Trial* t : {&trial, &others}) {
      const Ruling ruling = court_.judge({t, 1}).front();
      for (const Finding& f : ruling.findings) consider(*t, f, ruling.outcome);
    }
  }

  /// As many together as go to the workers at once.
  void run_shapes() {
    const std::int64_t count = std::ssize(plan_.shapes);
    std::vector<Trial> trials;
    for (std::int64_t i = 0; i < count; ++i) {
      for (const std::uint32_t mask : domain_.core_masks) {
        if (!plan_.shard.holds(i)) break;
        Trial t = listed_trial(domain_, plan_.shapes[static_cast<std::size_t>(i)], mask, i);
        t.test.seed += plan_.seed;
        t.fill.exact_bits = exact_bits_;
        const bool early = ended_early();
        const auto why = early    ? std::optional<std::string>("the search was stopped before it")
                         : over() ? std::optional<std::string>("the search ended before it")
                                  : admit(domain_, t.test);
        why ? count_.skip(*why, 1, early) : trials.push_back(t);
      }
      if (std::ssize(trials) < can_.batch && i + 1 < count) continue;
      run_batch(trials);
      trials.clear();
      watcher_.progress(i + 1, count);
    }
  }

  /// Sanitizers see what guard pages cannot: the kernel's own arrays and undefined arithmetic.
  void run_sanitized(Executor& sanitized) {
    Court court(sanitized, court_.promises());
    std::vector<Trial> trials = large_trials(generator_, plan_.seed, plan_.cases, exact_bits_, plan_.shard);
    trials.insert(trials.end(), plan_.first.begin(), plan_.first.end());
    const std::vector<Ruling> rulings = court.judge(trials);
    if (const auto missing = not_made(rulings)) note(*missing);
    if (const auto leak = leaks(rulings)) note(*leak);
    for (std::size_t i = 0; i < trials.size(); ++i)
      for (const Finding& f : rulings[i].findings) {
        if (f.property != Property::memory || found_.contains(f.property)) continue;
        if (explained_by_alignment(court, trials[i], f)) return;
        watcher_.failure(trials[i].test, f);
        const auto guarded = under_guard_pages(court_, trials[i]);
        report(guarded ? court_ : court, guarded.value_or(trials[i]), f, rulings[i].outcome);
      }
  }

  void run_batch(std::span<const Trial> trials) {
    if (trials.empty()) return;
    outdated_ = false;
    const std::vector<Ruling> rulings = court_.judge(trials);
    if (plan_.against) plan_.against->look(trials, rulings);
    if (plan_.source) plan_.source->learn(trials, rulings);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      count_.add(trials[i].test, rulings[i].outcome);
      if (const auto part = rulings[i].rounding; part && *part >= verdict_.rounding.worst)
        verdict_.rounding = {*part, trials[i].test.shape};
      if (!can_.cheap) history_.add(trials[i], rulings[i]);
    }
    for (const std::size_t i : order_of(trials, can_.cheap))
      for (const Finding& f : rulings[i].findings) consider(trials[i], f, rulings[i].outcome);
  }

  void note(const std::string& text) {
    if (std::ranges::find(verdict_.notes, text) == verdict_.notes.end()) verdict_.notes.push_back(text);
  }

  void consider(const Trial& trial, const Finding& finding, const Outcome& outcome) {
    const Property p = finding.property;
    if (stop_ || skip_.contains(p)) return;
    // A kernel that hangs or crashes often makes every further run wait or restart.
    if (found_.contains(p)) return void(stop_ = p == Property::hang || p == Property::crash);
    const bool inexact = p == Property::nonfinite || p == Property::rounding;
    if (inexact && !can_.cheap && found_.contains(Property::formula)) return;
    if (inexact && wrong_on_exact_data(court_, trial, exact_bits_)) return;
    if (outdated_ && (p == Property::nonfinite || !fails(court_, trial, p))) return;
    if (!finding.counterexample) return note(finding.detail);
    if (explained_by_inexact_sums(trial, finding) || explained_by_alignment(court_, trial, finding)) return;
    watcher_.failure(trial.test, finding);
    report(court_, trial, finding, outcome);
  }

  /// A 16-bit kernel that promised no wider accumulator may sum in its own type, and one that promised no
  /// algorithm may transform.
  bool explained_by_inexact_sums(const Trial& trial, const Finding& finding) {
    if (finding.property != Property::formula) return false;
    if (can_.cheap && !fails(court_, trial, finding.property)) return false;
    auto excuse = right_in_narrow_sums(court_, trial);
    if (!excuse) excuse = right_in_transformed_sums(court_, trial);
    if (!excuse) excuse = errs_as_fft(court_, trial, finding);
    if (!excuse) return false;
    if (excuse->promise) promises_.make(excuse->promise), outdated_ = true, verdict_.rounding = {};
    exact_bits_ = excuse->exact_bits;
    note(excuse->why);
    // Held to that promise it may be wrong all the same.
    return !excuse->promise || !fails(court_, trial, finding.property);
  }

  /// A fault that larger alignment cures is no stray access, unless the alignment in force was promised.
  bool explained_by_alignment(Court& court, const Trial& trial, const Finding& finding) {
    if (!domain_.guarded) return false;
    const auto bytes = curing_alignment(court, trial, finding.property);
    if (!bytes) return false;
    // Trials made before the first such fault was seen are cured by what is known by now.
    if (*bytes <= domain_.align) return true;
    domain_.align = *bytes;
    generator_ = cases(domain_, plan_.aims);
    note(fmt::format("it needs buffers aligned to {} bytes, which it does not promise", *bytes));
    return true;
  }

  void report(Court& court, const Trial& trial, const Finding& finding, const Outcome& outcome) {
    const Property p = finding.property;
    // What a kernel that strays does next is not worth a time limit for each candidate.
    const bool astray = p == Property::hang && found_.contains(Property::memory);
    Pursuit how{plan_.shrink && !astray, shrink_time(), launches_ / 4, {}, {}};
    if ((how.shrink || can_.cheap) && p == Property::formula) {
      how.others = other_cases();
      how.spare = history_.followed_by(some_cases(3, kExamples));
    }
    Counterexample found = pursue(court, domain_, trial, {finding, outcome}, how);
    if (!found.steady) {
      fleeting_[p].push_back(found);
      if (fleeting_[p].size() == kFleeting) found_.insert(p);
      return;
    }
    found_.insert(p);
    if (!how.others.empty() && can_.cheap) found.when = fails_where(court, how.spare, exact_bits_);
    verdict_.counterexamples.push_back(std::move(found));
    stop_ |= plan_.stop_at_first;
  }

  /// No longer than the search itself may still take.
  std::chrono::seconds shrink_time() const {
    const auto left = std::chrono::floor<std::chrono::seconds>(end_ - std::chrono::steady_clock::now());
    return std::clamp(left, {}, can_.cheap ? kShrinkTime : kDearShrinkTime);
  }

  /// Cases that the search itself does not run.
  std::vector<Case> some_cases(std::uint64_t stream, std::int64_t count) const {
    return nth_cases(generator_, plan_.seed ^ stream, 20, count);
  }

  /// Cases on which a diagnosis is tried: where calls cost much those that ran already, if they are enough.
  std::vector<Case> other_cases() const {
    const auto ran = history_.cases(can_.rounds ? kOthers : kDearOthers);
    return ran.empty() ? some_cases(1, can_.cheap ? kOthers : kDearOthers) : ran;
  }

  Verdict conclude() {
    for (Counterexample& c : verdict_.counterexamples)
      if (!can_.cheap && c.finding.property == Property::formula) c.when = history_.condition();
    if (plan_.against) verdict_.against = plan_.against->conclude(court_, domain_, shrink_time());
    // What comes and goes shows itself under every property; one of them tells it, a stray access at best.
    const auto memory = fleeting_.find(Property::memory);
    if (verdict_.counterexamples.empty() && !fleeting_.empty())
      verdict_.counterexamples.push_back((memory == fleeting_.end() ? fleeting_.begin() : memory)->second[0]);
    for (const auto& [p, failures] : fleeting_) {
      const auto is_told = [p](const Counterexample& c) { return c.finding.property == p; };
      if (std::ranges::none_of(verdict_.counterexamples, is_told)) note(in_passing(failures[0]));
    }
    count_.write_to(verdict_);
    if (plan_.shapes.empty() && !plan_.source)
      verdict_.neglected = count_.shares().neglected(domain_, plan_.seed ^ 2);
    // A stray access may be why other things go wrong.
    std::ranges::stable_partition(verdict_.counterexamples, [](const Counterexample& c) {
      return c.finding.property == Property::memory;
    });
    // Of a dW that is wrong altogether the rounding says nothing.
    if (found_.contains(Property::formula)) verdict_.rounding = {};
    verdict_.answer = answer_of(verdict_);
    verdict_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - end_ + plan_.time).count();
    return std::move(verdict_);
  }

  Promises promises_;
  Court court_;
  const Plan& plan_;
  std::set<Property> skip_;  ///< channels that are not judged
  Domain domain_;
  const Watcher& watcher_;
  std::chrono::steady_clock::time_point end_;
  rc::Gen<Case> generator_;
  int exact_bits_ = 24;
  bool stop_ = false, outdated_ = false;  ///< outdated: a promise was made since the batch was judged
  std::set<Property> found_;
  std::map<Property, std::vector<Counterexample>> fleeting_;  ///< that come and go; a steady one is better
  RunCount count_;
  Capabilities can_;
  std::int64_t launches_;  ///< that there are in all
  History history_;        ///< where calls cost much
  Verdict verdict_;
};

}  // namespace

Verdict check_kernel(Executor& executor, Executor* sanitized, const Promises& promises, const Plan& plan,
                     const Watcher& watcher) {
  return Session(executor, promises, plan, watcher).search(sanitized);
}

}  // namespace wgradcheck::check
