#include "check/judge/judge.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "check/judge/identity.hpp"
#include "check/judge/number.hpp"
#include "check/judge/oracle.hpp"
#include "check/judge/random.hpp"
#include "check/judge/rounding.hpp"
#include "check/run/conv_param.hpp"
#include "check/search/refusal.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kLarge = 1 << 22;  ///< products from which the identity is cheaper than the plain sum
constexpr std::uint64_t kIdentityStream = 100;

/// What an element of dW holds besides its sum: the old value and the bias.
std::int32_t before(const Case& c, const Data& data, const Promises& promises, std::int64_t i,
                    std::int64_t columns) {
  std::int32_t value = promises.adds() ? data.dw[static_cast<std::size_t>(i)] : 0;
  if (c.bias == Bias::column) value += data.bias[static_cast<std::size_t>(i % columns)];
  if (c.bias == Bias::per_output) value += data.bias[static_cast<std::size_t>(i / columns)];
  return value;
}

std::string field_name(const Tamper& t) { return kParamFields[static_cast<std::size_t>(t.field)]; }

/// A run that did not return.
Finding ended(const Case& c, const Outcome& o) {
  const std::string how =
      (o.in_query ? ", asked for its workspace" : "") + (o.detail.empty() ? "" : ": " + o.detail);
  switch (o.status) {
    case Outcome::Status::crashed:
      if (o.stray) return {Property::memory, true, describe(*o.stray, c), {}, 0, 0};
      if (!o.detail.empty())
        return {Property::memory, true, o.detail + (o.in_query ? ", asked for its workspace" : ""), {}, 0, 0};
      return {Property::crash,
              true,
              fmt::format("ended by signal {} ({}){}", o.code, strsignal(o.code), how),
              {},
              0,
              0};
    case Outcome::Status::exited:
      return {
          Property::crash, true, fmt::format("ended its process with status {}{}", o.code, how), {}, 0, 0};
    default:
      return {Property::hang, true, "did not return within the time limit" + how, {}, 0, 0};
  }
}

/// Inputs and parameters that the call changed.
void compare_inputs(const Case& c, const Data& data, const Tensors& t, const Outcome& o,
                    std::vector<Finding>& findings) {
  const auto altered = [&](const std::string& what) {
    findings.push_back({Property::rules, true, "changed its input " + what, {}, 0, 0});
  };
  if (const auto i = first_altered(c.dtype, data, BufferId::dy, t.dy); i >= 0)
    altered(describe_pixel(BufferId::dy, c.shape, i));
  if (const auto i = first_altered(c.dtype, data, BufferId::x, t.x); i >= 0)
    altered(describe_pixel(BufferId::x, c.shape, i));
  if (const auto i = first_altered(c.dtype, data, BufferId::bias, t.bias); i >= 0)
    altered(fmt::format("bias[{}]", i));
  if (!o.param_changed.empty()) altered((c.host ? "problem->" : "conv_param->") + o.param_changed);
}

/// Whether the identity certifies every element of a large float dW, which spares the plain sum.
bool certified(const Case& c, const Data& data, const Promises& promises, const Tensors& t) {
  if (c.dtype != DType::f32 || !data.dy_non_finite.empty() || spec::products(c.shape) < kLarge) return false;
  const std::int64_t columns = spec::dw_elems(c.shape) / c.shape.out_channels;
  std::vector<std::int32_t> sums(data.dw.size());
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(sums.size()); ++i) {
    const double got = load(c.dtype, t.dw, i);
    // Only integers can be right, and only such are certified; NaN fails here as well.
    if (!(std::abs(got) < 0x1p24) || got != std::trunc(got)) return false;
    sums[static_cast<std::size_t>(i)] =
        static_cast<std::int32_t>(got) - before(c, data, promises, i, columns);
  }
  return are_exact_sums(c.shape, data.dy, data.x, sums, scrambled(c.seed, kIdentityStream));
}

/// Equal, zeros of either sign alike; NaN equals nothing.
bool same(double got, double expected) { return got == expected; }

/// A call that had to be refused: nothing may have been written.
void compare_refused(const Case& c, const Data& data, const Tensors& t, const Outcome& o,
                     std::vector<Finding>& findings) {
  const auto accepted = [&](const std::string& what) {
    findings.push_back({Property::rules,
                        true,
                        fmt::format("did not refuse {} = {}: {}", field_name(c.tamper), c.tamper.value, what),
                        {},
                        0,
                        0});
  };
  if (first_altered(c.dtype, data, BufferId::dw, t.dw) >= 0) return accepted("it wrote to dW");
  if (o.workspace_used > 0) accepted("it wrote to workspace_");
}

void compare_dw(const Case& c, const Data& data, const Promises& promises, const Tensors& t,
                std::vector<Finding>& findings) {
  if (certified(c, data, promises, t)) return;
  const std::vector<double> expected = expected_dw(c, data, promises);
  const bool special = !data.dy_non_finite.empty();
  const std::vector<bool> reached =
      special ? meets_non_finite(c.shape, data) : std::vector<bool>(expected.size());
  std::int64_t wrong = 0, untouched = 0, first = -1;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double got = load(c.dtype, t.dw, static_cast<std::int64_t>(i));
    if (reached[i] ? !std::isfinite(got) : same(got, expected[i])) continue;
    ++wrong;
    if (same(got, data.dw[i])) ++untouched;
    if (first < 0) first = static_cast<std::int64_t>(i);
  }
  if (first < 0) return;
  const auto at = static_cast<std::size_t>(first);
  Finding f;
  f.element = spec::element_at(c.shape, first);
  f.got = load(c.dtype, t.dw, first);
  f.expected = reached[at] ? std::nan("") : expected[at];
  f.detail =
      fmt::format("{} of {} elements of dW {} wrong", wrong, expected.size(), wrong == 1 ? "is" : "are");
  if (untouched == wrong && untouched > 0 && !special) f.detail += ", all of them left as they were";
  if (special) {
    f.property = Property::nonfinite;
    f.counterexample = promises.skips_padding() || reached[at];
    f.detail = reached[at] ? "Inf or NaN in dy does not arrive where the formula says"
                           : "Inf or NaN in dy reaches taps that lie in the padding";
  }
  findings.push_back(f);
}

}  // namespace

std::vector<double> expected_dw(const Case& c, const Data& data, const Promises& promises) {
  const std::vector<std::int32_t> sums = exact_sums(c.shape, data.dy, data.x);
  const std::int64_t columns = spec::dw_elems(c.shape) / c.shape.out_channels;
  std::vector<double> expected(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i)
    expected[i] =
        rounded(c.dtype, sums[i] + before(c, data, promises, static_cast<std::int64_t>(i), columns));
  return expected;
}

std::vector<Finding> judge(const Case& c, const Data& data, const Promises& promises, const Outcome& outcome,
                           const Tensors& tensors) {
  // A tampered call that happens to be valid describes other tensors than those it was given.
  if (outcome.status == Outcome::Status::not_run || (c.tamper.field >= 0 && !is_invalid(c))) return {};
  std::vector<Finding> findings;
  if (outcome.status != Outcome::Status::returned) {
    findings.push_back(ended(c, outcome));
    return findings;
  }
  if (outcome.stray) findings.push_back({Property::memory, true, describe(*outcome.stray, c), {}, 0, 0});
  compare_inputs(c, data, tensors, outcome, findings);
  if (outcome.code != 0) {
    findings.push_back({Property::rules,
                        true,
                        fmt::format("returned {} for a problem that it supports", outcome.code),
                        {},
                        0,
                        0});
    return findings;
  }
  if (is_invalid(c)) {
    compare_refused(c, data, tensors, outcome, findings);
    return findings;
  }
  if (data.exact)
    compare_dw(c, data, promises, tensors, findings);
  else if (auto finding = compare_rounded(c, data, promises, tensors))
    findings.push_back(*finding);
  return findings;
}

}  // namespace wgradcheck::check
