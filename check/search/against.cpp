#include "check/search/against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/judge/number.hpp"
#include "check/search/classes.hpp"
#include "check/search/refusal.hpp"
#include "check/search/shrink.hpp"
#include "check/search/trial.hpp"

namespace wgradcheck::check {
namespace {

bool returned(const Ruling& r) {
  return r.outcome.status == Outcome::Status::returned && r.outcome.code == 0;
}

/// Whether a run of both says something: both ran, and one of them returned.
bool comparable(const Ruling& now, const Ruling& before) {
  const auto ran = [](const Ruling& r) { return r.outcome.status != Outcome::Status::not_run; };
  return ran(now) && ran(before) && (returned(now) || returned(before));
}

/// Whether its dW is wrong by the formula or outside of the bound, promised or not, or is not there.
bool is_outside(const Ruling& r) {
  if (!returned(r) || r.rounding.value_or(0) > 1) return true;
  return std::ranges::any_of(r.findings, [](const Finding& f) {
    return f.property == Property::formula || f.property == Property::nonfinite ||
           f.property == Property::rounding;
  });
}

/// Equal as numbers: zeros of either sign, and whatever is not finite.
bool same_value(double a, double b) { return a == b || (!std::isfinite(a) && !std::isfinite(b)); }

}  // namespace

Against::Against(Executor& old_kernel, const Promises& promises, const Abi& abi, std::string old)
    : old_(old_kernel, promises), promises_(promises), abi_(abi) {
  old_.keep_results();
  seen_.old = std::move(old);
  for (const ShapeClass& c : shape_classes(abi)) seen_.by_class.push_back({c.name});
}

void Against::look(std::span<const Trial> trials, std::span<const Ruling> now) {
  std::vector<Trial> some;
  std::vector<const Ruling*> new_rulings;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (is_invalid(trials[i].test) || now[i].outcome.status == Outcome::Status::not_run) continue;
    some.push_back(trials[i]);
    new_rulings.push_back(&now[i]);
  }
  const std::vector<Ruling> before = old_.judge(some);
  const auto classes = shape_classes(abi_);
  for (std::size_t i = 0; i < some.size(); ++i) {
    const Ruling& new_one = *new_rulings[i];
    if (!comparable(new_one, before[i])) {
      ++seen_.not_compared;
      continue;
    }
    const Agreement a = compare(some[i], new_one, before[i]);
    seen_.all.add(a);
    for (std::size_t k = 0; k < classes.size(); ++k)
      if (classes[k].contains(some[i].test)) seen_.by_class[k].add(a);
    if (a == Agreement::same) continue;
    if (a == Agreement::beyond) {
      seen_.now_outside += is_outside(new_one);
      seen_.before_outside += is_outside(before[i]);
    }
    if (!seen_.first || (seen_.first->kind == Agreement::within && a == Agreement::beyond))
      seen_.first = described(some[i], new_one, before[i]);
  }
}

Agreement Against::compare(const Trial& trial, const Ruling& now, const Ruling& before) const {
  if (returned(now) != returned(before)) return Agreement::beyond;
  if (now.dw == before.dw) return Agreement::same;
  if (trial.fill.rounds) return is_outside(now) || is_outside(before) ? Agreement::beyond : Agreement::within;
  const DType t = trial.test.dw_type();
  for (std::int64_t i = 0; i < std::ssize(now.dw) / size_of(t); ++i)
    if (!same_value(load(t, now.dw, i), load(t, before.dw, i))) return Agreement::beyond;
  return Agreement::within;
}

Difference Against::described(const Trial& trial, const Ruling& now, const Ruling& before) const {
  Difference d{trial, trial.test, compare(trial, now, before), {}};
  if (!returned(now) || !returned(before)) {
    d.detail = returned(now) ? "the old kernel did not return" : "this kernel did not return";
    return d;
  }
  const DType t = trial.test.dw_type();
  std::vector<std::int64_t> differing;
  for (std::int64_t i = 0; i < std::ssize(now.dw) / size_of(t); ++i) {
    const double a = load(t, now.dw, i), b = load(t, before.dw, i);
    if (a != b || std::signbit(a) != std::signbit(b)) differing.push_back(i);
  }
  d.detail = fmt::format("{} of {} element{} of dW differ{}, {} the bound", differing.size(),
                         std::ssize(now.dw) / size_of(t), std::ssize(now.dw) == size_of(t) ? "" : "s",
                         differing.size() == 1 ? "s" : "",
                         d.kind == Agreement::beyond ? "some beyond" : "all within");
  if (differing.empty()) return d;
  const Data data = make_data(trial.test, fill_for(trial.fill, promises_));
  const auto allowed =
      is_special(data) ? std::vector<Allowed>() : allowed_elements(trial.test, data, promises_, differing);
  // Shown is the first that lies outside, or else the first.
  std::size_t shown = 0;
  if (d.kind == Agreement::beyond && !allowed.empty()) {
    const auto outside = [&](std::size_t k) {
      const auto is_beyond = [&](double v) { return !(v >= allowed[k].least && v <= allowed[k].most); };
      return is_beyond(load(t, now.dw, differing[k])) || is_beyond(load(t, before.dw, differing[k]));
    };
    while (shown + 1 < differing.size() && !outside(shown)) ++shown;
    if (!outside(shown)) shown = 0;
  }
  d.element = spec::element_at(trial.test.shape, differing[shown]);
  d.now = load(t, now.dw, differing[shown]);
  d.before = load(t, before.dw, differing[shown]);
  if (!allowed.empty()) d.allowed = allowed[shown];
  return d;
}

Differences Against::conclude(Court& now, const Domain& domain, std::chrono::seconds limit) {
  if (!seen_.first) return std::move(seen_);
  const Difference& found = *seen_.first;
  const auto as_bad = [&](Agreement a) {
    return found.kind == Agreement::beyond ? a == Agreement::beyond : a != Agreement::same;
  };
  std::optional<Difference> least;
  const auto first_differing = [&](std::span<const Case> candidates) {
    const std::vector<Trial> trials = trials_of(candidates, found.trial.fill);
    const auto news = now.judge(trials), olds = old_.judge(trials);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (!comparable(news[i], olds[i]) || !as_bad(compare(trials[i], news[i], olds[i]))) continue;
      least = described(trials[i], news[i], olds[i]);
      return static_cast<std::ptrdiff_t>(i);
    }
    return std::ptrdiff_t{-1};
  };
  const auto end = std::chrono::steady_clock::now() + limit;
  shrink(domain, found.trial.test, first_differing, static_cast<std::size_t>(now.capabilities().batch),
         [end] { return std::chrono::steady_clock::now() > end; });
  if (least) {
    least->first = found.first;
    seen_.first = least;
  }
  return std::move(seen_);
}

}  // namespace wgradcheck::check
