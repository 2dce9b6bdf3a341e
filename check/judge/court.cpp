#include "check/judge/court.hpp"

#include <algorithm>

#include "check/judge/number.hpp"
#include "check/judge/rounding.hpp"

namespace wgradcheck::check {
namespace {

using Bytes = std::vector<std::byte>;

/// Two results of the same call that differ.
Finding not_repeated(const Case& c, const Bytes& before, const Bytes& after, bool promised) {
  const std::ptrdiff_t at = std::ranges::mismatch(before, after).in1 - before.begin();
  const std::int64_t i = at / size_of(c.dw_type());
  const spec::Element e = spec::element_at(c.shape, i);
  const double first = load(c.dw_type(), before, i), second = load(c.dw_type(), after, i);
  Finding f{Property::rules, promised, "the same call gives other bits the second time", e, second, first};
  f.of_two_calls = true;
  return f;
}

}  // namespace

Fill fill_for(Fill fill, const Promises& promises) {
  if (fill.rounds) return fill;
  int bits = promises.accumulator_bits().value_or(Fill().exact_bits);
  if (const auto partials = promises.partials()) bits = std::min(bits, significant_bits(*partials));
  if (!promises.is_direct().value_or(true)) bits -= promises.is_fft() ? kFftBits : kTransformBits;
  fill.exact_bits = std::max(std::min(fill.exact_bits, bits), kLeastBits);
  return fill;
}

std::vector<Ruling> Court::judge(std::span<const Trial> trials) {
  std::vector<Case> cases;
  for (const Trial& t : trials) cases.push_back(t.test);
  std::vector<Data> data(trials.size());
  std::vector<Ruling> rulings(trials.size());
  std::vector<Bytes> first(trials.size());  // dW of trials to repeat
  const bool repeats = capabilities().repeats;
  executor_.run(
      cases,
      [&](std::size_t i, const Tensors& t) {
        data[i] = make_data(cases[i], fill_for(trials[i].fill, promises_), std::move(room_));
        write_tensors(cases[i], data[i], t);
      },
      [&](std::size_t i, const Tensors& t, const Outcome& outcome) {
        // Of a host kernel only the run tells the workspace.
        cases[i].workspace = outcome.workspace.value_or(cases[i].workspace);
        if (outcome.status == Outcome::Status::returned) settle(cases[i], data[i], promises_, t.dw);
        Judgement judged = check::judge(cases[i], data[i], promises_, outcome, t);
        rulings[i] = {std::move(judged.findings), outcome, judged.rounding};
        room_ = std::move(data[i]);
        if (keeps_results_ && outcome.status == Outcome::Status::returned)
          rulings[i].dw.assign(t.dw.begin(), t.dw.end());
        if (repeats && trials[i].fill.rounds && rulings[i].findings.empty() &&
            outcome.status == Outcome::Status::returned)
          first[i].assign(t.dw.begin(), t.dw.end());
      });
  repeat(trials, first, rulings);
  return rulings;
}

void Court::repeat(std::span<const Trial> trials, std::span<const Bytes> first,
                   std::vector<Ruling>& rulings) {
  std::vector<std::size_t> which;
  std::vector<Case> cases;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (first[i].empty()) continue;
    which.push_back(i);
    cases.push_back(trials[i].test);
  }
  executor_.run(
      cases,
      [&](std::size_t k, const Tensors& t) {
        const Trial& trial = trials[which[k]];
        write_tensors(trial.test, make_data(trial.test, fill_for(trial.fill, promises_)), t);
      },
      [&](std::size_t k, const Tensors& t, const Outcome& outcome) {
        const Bytes& before = first[which[k]];
        const Bytes after(t.dw.begin(), t.dw.end());
        if (outcome.status == Outcome::Status::returned && after != before)
          rulings[which[k]].findings.push_back(
              not_repeated(cases[k], before, after, promises_.repeats_bits()));
      });
}

std::vector<std::optional<std::vector<double>>> Court::observe(std::span<const Case> cases,
                                                               std::span<const Data> data) {
  std::vector<std::optional<std::vector<double>>> seen(cases.size());
  executor_.run(
      cases, [&](std::size_t i, const Tensors& t) { write_tensors(cases[i], data[i], t); },
      [&](std::size_t i, const Tensors& t, const Outcome& outcome) {
        if (outcome.status != Outcome::Status::returned) return;
        settle(cases[i], data[i], promises_, t.dw);
        std::vector<double>& dw = seen[i].emplace();
        for (std::int64_t k = 0; k < spec::dw_elems(cases[i].shape); ++k)
          dw.push_back(load(cases[i].dw_type(), t.dw, k));
      });
  return seen;
}

}  // namespace wgradcheck::check
