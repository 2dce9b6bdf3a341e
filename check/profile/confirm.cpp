#include <fmt/format.h>

#include <algorithm>

#include "check/judge/promises.hpp"
#include "check/profile/profile.hpp"
#include "check/search/session.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::uint64_t kSeed = 1;  ///< a profile is the same each time
constexpr std::chrono::seconds kTime{2};

/// The promises that a finding may break, the one to take back first in front.
std::vector<const char*> suspects(const Counterexample& found) {
  const Finding& f = found.finding;
  switch (f.property) {
    case Property::rounding:
      return found.trial.fill.subnormal ? std::vector<const char*>{"subnormals"}
                                        : std::vector<const char*>{"height", "splits", "acc"};
    case Property::formula:
      return {"acc"};
    case Property::rules:
      return f.of_two_calls ? std::vector<const char*>{"repeat"} : std::vector<const char*>{};
    case Property::nonfinite:
      return {"nonfinite_padding"};
    case Property::memory:
      if (!f.stray) return {"align"};
      if (!f.stray->write && f.stray->offset > 0) return {"read_slack"};
      break;
    case Property::crash:
      return {"align"};
    case Property::hang:
      break;
  }
  return {};
}

/// A check of the kernel against promises.
Verdict checked(Executor& executor, const Domain& domain, const std::vector<std::string>& made,
                std::int64_t cases) {
  Promises promises;
  if (domain.abi->host) promises.make("dw=overwrite");
  for (const std::string& promise : made) promises.make(promise);
  Plan plan;
  plan.domain = domain;
  plan.cases = cases;
  plan.time = kTime;
  plan.seed = kSeed;
  plan.shrink = false;
  keep_to(promises, plan.domain);
  return check_kernel(executor, nullptr, promises, plan, {});
}

}  // namespace

void confirm_promises(Executor& executor, const Domain& domain, Profile& profile, std::int64_t cases) {
  for (;;) {
    const Verdict v = checked(executor, domain, profile.promises, cases);
    if (v.counterexamples.empty()) {
      profile.confirmed = v.run;
      return;
    }
    const Counterexample& found = v.counterexamples.front();
    const std::string where =
        fmt::format("{} ({})", found.finding.detail, spec::to_line(found.trial.test.shape));
    bool taken_back = false;
    for (const char* const key : suspects(found)) {
      const auto promise = std::ranges::find_if(
          profile.promises, [key](const std::string& p) { return p.starts_with(std::string(key) + "="); });
      if (promise == profile.promises.end()) continue;
      profile.unpromised.push_back(fmt::format("{}, which small shapes kept: {}", *promise, where));
      profile.promises.erase(promise);
      taken_back = true;
      break;
    }
    if (taken_back) continue;
    profile.unpromised.push_back(fmt::format("the kernel fails whatever it promises: {}", where));
    return;
  }
}

}  // namespace wgradcheck::check
