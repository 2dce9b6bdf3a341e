#include "check/profile/probe.hpp"

#include <limits>

#include "check/judge/number.hpp"

namespace wgradcheck::check {
namespace {

void write(DType t, const std::vector<double>& values, std::span<std::byte> tensor) {
  const std::int64_t count = std::ssize(tensor) / size_of(t);
  for (std::int64_t i = 0; i < count; ++i)
    store(t, tensor, i, values.empty() ? 0 : values[static_cast<std::size_t>(i)]);
}

}  // namespace

double Reply::element(std::int64_t i) const {
  return returned() ? dw[static_cast<std::size_t>(i)] : std::numeric_limits<double>::quiet_NaN();
}

std::optional<Case> Probe::admitted(Case c) const {
  c.implementation = domain_.implementations.front();
  return admit(domain_, c) ? std::nullopt : std::optional(c);
}

std::vector<Reply> Probe::ask(std::span<const Question> questions) const {
  calls_ += std::ssize(questions);
  std::vector<Case> cases;
  for (const Question& q : questions) cases.push_back(q.test);
  std::vector<Reply> replies(cases.size());
  executor_.run(
      cases,
      [&](std::size_t i, const Tensors& t) {
        const Question& q = questions[i];
        write(q.test.dtype, q.dy, t.dy);
        write(q.test.dtype, q.x, t.x);
        write(q.test.dtype, q.dw, t.dw);
        write(q.test.dtype, q.bias, t.bias);
      },
      [&](std::size_t i, const Tensors& t, const Outcome& outcome) {
        Reply& r = replies[i];
        r.outcome = outcome;
        if (outcome.status != Outcome::Status::returned || outcome.code != 0) return;
        r.bytes.assign(t.dw.begin(), t.dw.end());
        for (std::int64_t k = 0; k < std::ssize(t.dw) / size_of(cases[i].dtype); ++k)
          r.dw.push_back(load(cases[i].dtype, t.dw, k));
      });
  return replies;
}

}  // namespace wgradcheck::check
