#include "check/judge/judge.hpp"

#include <fmt/format.h>

#include <cstring>

#include "check/judge/compare.hpp"
#include "check/judge/rounding.hpp"
#include "check/run/conv_param.hpp"
#include "check/search/refusal.hpp"

namespace wgradcheck::check {
namespace {

/// What was handed over, as `kernel_h_ = 0, pad_l_ = -1`.
std::string in_words(const Tamper& t) {
  std::string text;
  for (std::size_t i = 0; i < kParamFields.size(); ++i)
    if (t.has(i)) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", kParamFields[i], t.values[i]);
  return text;
}

/// Whether an access is a write inside an input, which faults where inputs can be made read-only.
bool writes_input(const Case& c, const Stray& s) {
  const bool input = s.buffer == BufferId::dy || s.buffer == BufferId::x || s.buffer == BufferId::bias;
  return input && s.write && s.offset >= 0 && s.offset < bytes_of(c, s.buffer);
}

std::string element_of_input(const Case& c, BufferId id, std::int64_t index) {
  return id == BufferId::bias ? fmt::format("bias[{}]", index) : describe_input(c, id, index);
}

/// A run that did not return.
Finding ended(const Case& c, const Outcome& o) {
  const std::string how = (o.in_query ? ", asked for its workspace" : "") +
                          (o.detail.empty() ? "" : ": " + o.detail) +
                          (o.said.empty() ? "" : fmt::format("; it said \"{}\"", o.said));
  switch (o.status) {
    case Outcome::Status::crashed:
      if (o.stray && writes_input(c, *o.stray))
        return {
            Property::rules,
            true,
            "wrote to its input " + element_of_input(c, o.stray->buffer, o.stray->offset / size_of(c.dtype)),
            {},
            0,
            0,
            o.stray};
      if (o.stray) return {Property::memory, true, describe(*o.stray, c), {}, 0, 0, o.stray};
      if (!o.detail.empty())
        return {o.raised ? Property::crash : Property::memory,
                true,
                o.detail + (o.in_query ? ", asked for its workspace" : ""),
                {},
                0,
                0};
      return {Property::crash,
              true,
              fmt::format("ended by signal {} ({}){}", o.code, strsignal(o.code), how),
              {},
              0,
              0};
    case Outcome::Status::exited:
      return {
          Property::crash, true, fmt::format("ended its process with status {}{}", o.code, how), {}, 0, 0};
    case Outcome::Status::unreadable:
      return {Property::rules, true, o.detail, {}, 0, 0};
    default:
      return {Property::hang,
              true,
              (o.limit > 0 ? fmt::format("did not return within the {:.3g} s that a case may take "
                                         "(--timeout SECONDS allows more)",
                                         o.limit)
                           : "crashed or hung") +
                  how,
              {},
              0,
              0};
  }
}

/// Inputs and parameters that the call changed.
void compare_inputs(const Case& c, const Data& data, const Tensors& t, const Outcome& o,
                    std::vector<Finding>& findings) {
  const auto altered = [&](const std::string& what) {
    findings.push_back({Property::rules, true, "changed its input " + what, {}, 0, 0});
  };
  for (const auto& [id, tensor] :
       {std::pair{BufferId::dy, t.dy}, {BufferId::x, t.x}, {BufferId::bias, t.bias}})
    if (const auto i = first_altered(c.dtype, data, id, tensor); i >= 0) altered(element_of_input(c, id, i));
  if (!o.param_changed.empty())
    altered((c.ascend ? "tiling->" : c.host ? "problem->" : "conv_param->") + o.param_changed);
}

/// A call that had to be refused: nothing may have been written.
void compare_refused(const Case& c, const Data& data, const Tensors& t, const Outcome& o,
                     std::vector<Finding>& findings) {
  const auto accepted = [&](const std::string& what) {
    findings.push_back(
        {Property::rules, true, fmt::format("did not refuse {}: {}", in_words(c.tamper), what), {}, 0, 0});
  };
  if (first_altered(c.dw_type(), data, BufferId::dw, t.dw) >= 0) return accepted("it wrote to dW");
  if (o.workspace_used > 0) accepted("it wrote to workspace_");
}

}  // namespace

Judgement judge(const Case& c, const Data& data, const Promises& promises, const Outcome& outcome,
                const Tensors& tensors) {
  // A tampered call that happens to be valid describes other tensors than those it was given.
  if (outcome.status == Outcome::Status::not_run || (c.tamper.any() && !is_invalid(c))) return {};
  Judgement judged;
  std::vector<Finding>& findings = judged.findings;
  if (outcome.status != Outcome::Status::returned) {
    findings.push_back(ended(c, outcome));
    return judged;
  }
  if (outcome.stray)
    findings.push_back({Property::memory, true, describe(*outcome.stray, c), {}, 0, 0, outcome.stray});
  compare_inputs(c, data, tensors, outcome, findings);
  if (outcome.floats_altered)
    findings.push_back({Property::rules,
                        false,
                        "it returns with another rounding mode than to nearest, or with subnormals flushed",
                        {},
                        0,
                        0});
  if (outcome.code != 0) {
    findings.push_back({Property::rules,
                        true,
                        fmt::format("returned {} for a problem that it supports", outcome.code),
                        {},
                        0,
                        0});
    return judged;
  }
  if (is_invalid(c)) {
    compare_refused(c, data, tensors, outcome, findings);
    return judged;
  }
  std::optional<Finding> finding;
  if (data.exact) {
    finding = compare_dw(c, data, promises, tensors);
  } else {
    const Rounding rounding = compare_rounded(c, data, promises, tensors);
    judged.rounding = rounding.worst;
    finding = rounding.finding;
  }
  if (finding) findings.push_back(*finding);
  return judged;
}

}  // namespace wgradcheck::check
