#include "check/judge/court.hpp"

#include "check/judge/number.hpp"

namespace wgradcheck::check {

std::vector<Ruling> Court::judge(std::span<const Trial> trials) {
  std::vector<Case> cases;
  for (const Trial& t : trials) cases.push_back(t.test);
  std::vector<Data> data(trials.size());
  std::vector<Ruling> rulings(trials.size());
  executor_.run(
      cases,
      [&](std::size_t i, const Tensors& t) {
        data[i] = make_data(cases[i], trials[i].fill);
        write_tensors(cases[i].dtype, data[i], t);
      },
      [&](std::size_t i, const Tensors& t, const Outcome& outcome) {
        // Of a host kernel only the run tells the workspace.
        cases[i].workspace = outcome.workspace.value_or(cases[i].workspace);
        rulings[i] = {check::judge(cases[i], data[i], promises_, outcome, t), outcome};
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
