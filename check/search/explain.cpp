#include "check/search/explain.hpp"

#include <algorithm>

#include "check/judge/number.hpp"
#include "check/search/trial.hpp"

namespace wgradcheck::check {

bool wrong_on_exact_data(Court& court, Trial trial, int exact_bits) {
  trial.fill = {.exact_bits = exact_bits};
  return fails(court, trial, Property::formula);
}

std::optional<int> right_in_narrow_sums(Court& court, Trial trial) {
  const DType sums = trial.test.dw_type();
  const int narrow = significant_bits(sums);
  if (sums == DType::f32 || court.promises().accumulator_bits() || trial.fill.exact_bits == narrow) return {};
  trial.fill.exact_bits = narrow;
  return fails(court, trial, Property::formula) ? std::nullopt : std::optional(narrow);
}

std::optional<std::int64_t> curing_alignment(Court& court, Trial trial, Property property) {
  if (property != Property::memory && property != Property::crash) return {};
  if (court.promises().alignment()) return {};
  for (const std::int64_t bytes : {4, 8, 16, 32, 64}) {
    if (bytes <= std::max(trial.test.align, size_of(trial.test.dtype))) continue;
    trial.test.align = bytes;
    if (!fails(court, trial, property)) return bytes;
  }
  return {};
}

std::optional<Trial> under_guard_pages(Court& court, Trial trial) {
  for (const Placement at : {trial.test.placement, Placement::flush_end, Placement::flush_start}) {
    trial.test.placement = at;
    if (fails(court, trial, Property::memory)) return trial;
  }
  return {};
}

}  // namespace wgradcheck::check
