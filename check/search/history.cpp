#include "check/search/history.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "check/search/refusal.hpp"
#include "check/search/trial.hpp"

namespace wgradcheck::check {

bool is_plain(const Trial& t) {
  return !t.fill.non_finite && !t.fill.rounds && !t.fill.subnormal && !is_invalid(t.test);
}

std::vector<std::size_t> order_of(std::span<const Trial> trials, bool cheap) {
  std::vector<std::size_t> order(trials.size());
  std::iota(order.begin(), order.end(), 0);
  if (cheap) return order;
  std::ranges::stable_sort(
      order, {}, [&](std::size_t i) { return std::pair(!is_plain(trials[i]), cost(trials[i].test)); });
  return order;
}

void History::add(const Trial& trial, const Ruling& ruling) {
  if (ruling.outcome.status == Outcome::Status::returned && is_plain(trial))
    examples_.push_back({trial.test, shows(ruling, Property::formula)});
}

std::vector<Case> History::cases(std::int64_t most) const {
  constexpr std::int64_t kEnough = 20, kProducts = 1 << 20;
  std::vector<Case> some;
  for (const Example& e : examples_)
    if (std::ssize(some) < most && spec::products(e.test.shape) <= kProducts) some.push_back(e.test);
  return std::ssize(some) < kEnough ? std::vector<Case>() : some;
}

std::vector<Case> History::followed_by(std::span<const Case> others) const {
  std::vector<Case> all = cases(std::ssize(examples_));
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace wgradcheck::check
