#include "check/judge/court.hpp"

#include "check/judge/number.hpp"

namespace wgradcheck::check {
namespace {

/// Data that a promised transform sums exactly as well: with the points 0, 1 and -1 on two axes it halves
/// twice, and its partial sums are up to nine times as large, which takes six bits.
Fill fill_for(Fill fill, const Promises& promises) {
  constexpr int kTransformBits = 6;
  if (!promises.is_direct().value_or(true)) fill.exact_bits -= kTransformBits;
  return fill;
}

}  // namespace

std::vector<Ruling> Court::judge(std::span<const Trial> trials) {
  std::vector<Case> cases;
  for (const Trial& t : trials) cases.push_back(t.test);
  std::vector<Data> data(trials.size());
  std::vector<Ruling> rulings(trials.size());
  executor_.run(
      cases,
      [&](std::size_t i, const Tensors& t) {
        data[i] = make_data(cases[i], fill_for(trials[i].fill, promises_));
        write_tensors(cases[i].dtype, data[i], t);
      },
      [&](std::size_t i, const Tensors& t, const Outcome& outcome) {
        Judgement judged = check::judge(cases[i], data[i], promises_, outcome, t);
        rulings[i] = {std::move(judged.findings), outcome, judged.rounding};
        data[i] = {};
      });
  return rulings;
}

std::vector<std::optional<std::vector<double>>> Court::observe(std::span<const Case> cases,
                                                               std::span<const Data> data) {
  std::vector<std::optional<std::vector<double>>> seen(cases.size());
  executor_.run(
      cases, [&](std::size_t i, const Tensors& t) { write_tensors(cases[i].dtype, data[i], t); },
      [&](std::size_t i, const Tensors& t, const Outcome& outcome) {
        if (outcome.status != Outcome::Status::returned) return;
        std::vector<double>& dw = seen[i].emplace();
        for (std::int64_t k = 0; k < spec::dw_elems(cases[i].shape); ++k)
          dw.push_back(load(cases[i].dtype, t.dw, k));
      });
  return seen;
}

}  // namespace wgradcheck::check
