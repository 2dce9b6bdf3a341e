#include "check/search/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/judge/number.hpp"
#include "check/judge/rounding.hpp"
#include "check/search/trial.hpp"

namespace wgradcheck::check {

namespace {

constexpr std::int64_t kMostProducts = 1 << 26;  ///< whose sums and bounds do not take long

/// Whether a number is no integer, but close to one.
bool is_near_integer(double v) {
  const double off = std::abs(v - std::nearbyint(v));
  return off > 0 && off < 0.49;
}

/// Whether twice dy gives twice the sums, bit by bit, and dy of zeros gives zeros: errors are in proportion.
bool doubles(Court& court, const Trial& trial) {
  Data once = make_data(trial.test, trial.fill);
  std::ranges::fill(once.dw, 0);
  std::ranges::fill(once.bias, 0);
  std::vector<Data> data(3, once);
  for (std::int16_t& v : data[1].dy) v = static_cast<std::int16_t>(2 * v);
  std::ranges::fill(data[2].dy, 0);
  const std::vector<Case> cases(data.size(), trial.test);
  const auto seen = court.observe(cases, data);
  if (!seen[0] || !seen[1] || !seen[2]) return false;
  return std::ranges::equal(*seen[0], *seen[1], {}, [](double v) { return 2 * v; }) &&
         std::ranges::all_of(*seen[2], [](double v) { return v == 0; });
}

/// Whether a run of the trial was seen, and shows no counterexample to the property.
bool holds(Court& court, const Trial& trial, Property p) {
  const Ruling ruling = court.judge(std::span(&trial, 1)).front();
  return ruling.outcome.status == Outcome::Status::returned && !ruling.outcome.open && !shows(ruling, p);
}

}  // namespace

bool wrong_on_exact_data(Court& court, Trial trial, int exact_bits) {
  trial.fill = {.exact_bits = exact_bits};
  return fails(court, trial, Property::formula);
}

std::optional<Excuse> right_in_narrow_sums(Court& court, Trial trial) {
  const DType sums = trial.test.dw_type();
  const int narrow = significant_bits(sums);
  if (sums == DType::f32 || court.promises().accumulator_bits() || trial.fill.exact_bits == narrow) return {};
  trial.fill.exact_bits = narrow;
  if (!holds(court, trial, Property::formula)) return {};
  return Excuse{
      narrow,
      "it is right on data exact in its 16-bit element type, but not on data exact in float: its sums "
      "or its last rounding are not those of a float accumulator rounded once to nearest"};
}

std::optional<Excuse> right_in_transformed_sums(Court& court, Trial trial) {
  if (spec::products(trial.test.shape) > kMostProducts) return {};
  const int fewer = Fill().exact_bits - kTransformBits;
  if (court.promises().is_direct() || trial.fill.exact_bits <= fewer || trial.fill.subnormal) return {};
  const Data data = make_data(trial.test, fill_for(trial.fill, court.promises()));
  const auto dw = court.observe(std::span(&trial.test, 1), std::span(&data, 1)).front();
  if (!dw || !a_transform_may_give(trial.test, data, court.promises(), *dw)) return {};
  trial.fill.exact_bits = fewer;
  if (!holds(court, trial, Property::formula)) return {};
  trial.fill = {.rounds = true};
  if (!holds(court, trial, Property::rounding)) return {};
  return Excuse{fewer,
                fmt::format("it is right on data exact in {} bits, but not on all that is exact in its "
                            "sums, as after a transform such as Winograd's; algorithm=transform or "
                            "algorithm=direct would say more",
                            fewer)};
}

std::optional<Excuse> errs_as_fft(Court& court, Trial trial, const Finding& finding) {
  // Sums of integers in too few bits, and wrong products, give other integers; 16-bit numbers do not tell.
  if (trial.test.dw_type() != DType::f32) return {};
  if (!court.capabilities().cheap && !is_near_integer(finding.got)) return {};
  if (court.promises().is_direct() || spec::products(trial.test.shape) > kMostProducts) return {};
  Promises promises = court.promises();
  promises.make("algorithm=fft");
  Court held = court.held_to(promises);
  const int exact_bits = trial.fill.exact_bits;
  trial.fill = fill_for({.exact_bits = exact_bits}, promises);
  if (!doubles(court, trial)) return {};
  const Data data = make_data(trial.test, trial.fill);
  const auto see = [&](Court& by) {
    return by.observe(std::span(&trial.test, 1), std::span(&data, 1)).front();
  };
  const auto raw = see(court), settled = see(held);
  if (!raw || !settled) return {};
  if (!is_near_integer(finding.got) && std::ranges::none_of(*raw, is_near_integer)) return {};
  if (!std::ranges::all_of(*settled, [](double v) { return v == std::nearbyint(v); })) return {};
  // Of a kernel that is right so, its errors on other data must be theirs too.
  const bool right = holds(held, trial, Property::formula);
  trial.fill = {.rounds = true};
  if (right && !holds(held, trial, Property::rounding)) return {};
  return Excuse{
      exact_bits,
      "its sums are exact in no number of bits, but integers within the error of Fourier transforms, or of "
      "Winograd's with large tiles, to which it is held; algorithm=fft or algorithm=direct would say more",
      "algorithm=fft"};
}

std::optional<std::int64_t> curing_alignment(Court& court, Trial trial, Property property) {
  if (property != Property::memory && property != Property::crash) return {};
  if (court.promises().alignment()) return {};
  const auto cures = [&](Trial aligned, std::int64_t bytes) {
    aligned.test.align = bytes;
    if (fails(court, aligned, property)) return false;
    // There a buffer may lie on a larger boundary by chance.
    aligned.test.placement = Placement::least;
    return !fails(court, aligned, property);
  };
  for (const std::int64_t bytes : {4, 8, 16, 32, 64}) {
    if (bytes <= std::max(trial.test.align, size_of(trial.test.dtype)) || !cures(trial, bytes)) continue;
    // A buffer on such a boundary may end before its guard page: what reads on is cured too, though by bytes
    // behind the buffers, wherever they start.
    trial.test.read_slack += bytes;
    trial.test.workspace += bytes;
    return fails(court, trial, property) ? std::optional(bytes) : std::nullopt;
  }
  return {};
}

std::optional<std::string> not_made(std::span<const Ruling> sanitized) {
  const auto not_run = [](const Ruling& r) { return r.outcome.status == Outcome::Status::not_run; };
  const bool none = std::ranges::all_of(sanitized, not_run);
  const auto left = [&](const Ruling& r) { return none || r.outcome.open; };
  const auto first = std::ranges::find_if(sanitized, left);
  if (first == sanitized.end()) return {};
  return fmt::format("{} of {} runs under sanitizers were not made: {}",
                     std::ranges::count_if(sanitized, left), sanitized.size(), first->outcome.detail);
}

std::optional<std::string> leaks(std::span<const Ruling> sanitized) {
  constexpr std::int64_t kTold = 4;
  std::int64_t runs = 0, bytes = 0;
  for (const Ruling& r : sanitized) {
    if (r.outcome.status != Outcome::Status::returned) continue;
    // What one call keeps for the next is no leak.
    if (r.outcome.kept <= 0) return {};
    ++runs;
    bytes += r.outcome.kept;
  }
  if (runs < kTold) return {};
  return fmt::format("each of {} runs under sanitizers left memory allocated, {} bytes in all: a leak", runs,
                     bytes);
}

std::optional<Trial> under_guard_pages(Court& court, Trial trial) {
  for (const Placement at : {trial.test.placement, Placement::flush_end, Placement::flush_start}) {
    trial.test.placement = at;
    if (fails(court, trial, Property::memory)) return trial;
  }
  return {};
}

}  // namespace wgradcheck::check
