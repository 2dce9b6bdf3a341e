#include "check/profile/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kMost = 4096;  ///< bytes, of either: what may be promised

/// Small cases of the path. Their buffers have all sizes modulo what an alignment may be.
std::vector<Case> small_cases(const Probe& probe, spec::Path path) {
  std::vector<Case> cases;
  const auto add = [&](std::int64_t channels, std::int64_t columns, std::int64_t taps) {
    spec::Shape s{1, 1, channels, channels, spec::kNoAxis, spec::kNoAxis, {}};
    s.width = {columns + taps - 1, columns, taps, 1, 1, 0};
    if (path == spec::Path::depthwise) s.groups = channels;
    // One channel of each is depthwise by the documents' rules.
    if (path != spec::Path::depthwise && channels == 1) s.in_channels = 2;
    for (const Placement at : {Placement::flush_end, Placement::flush_start})
      if (const auto c = probe.admitted({.shape = s, .dtype = probe.dtype(), .placement = at}))
        cases.push_back(*c);
  };
  const std::int64_t taps = path == spec::Path::pointwise ? 1 : 3;
  for (std::int64_t channels = 1; channels <= 17; ++channels) add(channels, 1 + channels % 4, taps);
  for (std::int64_t columns = 1; columns <= 17; columns += 2) add(3, columns, taps);
  return cases;
}

/// How the first of the cases that does not return ends, with these needs met; nothing where all return.
std::optional<Outcome> first_failure(const Probe& probe, const std::vector<Case>& cases, std::int64_t align,
                                     std::int64_t slack) {
  // In small batches: the first fault ends it.
  constexpr std::size_t kBatch = 8;
  for (std::size_t at = 0; at < cases.size(); at += kBatch) {
    std::vector<Question> questions;
    for (std::size_t i = at; i < std::min(at + kBatch, cases.size()); ++i) {
      questions.push_back({.test = cases[i]});
      questions.back().test.align = align;
      questions.back().test.read_slack = slack;
    }
    for (const Reply& r : probe.ask(questions))
      if (!r.returned() && r.outcome.status != Outcome::Status::not_run) return r.outcome;
  }
  return {};
}

}  // namespace

MemoryNeeds learn_memory(const Probe& probe, spec::Path path) {
  const char* const on = "1 to 17 channels and columns, buffers against guard pages";
  MemoryNeeds m{{}, {}, {"align", {}, {}, on, {}}, {"read_slack", {}, {}, on, {}}};
  if (!probe.guard_pages()) {
    m.align_fact.why = m.slack_fact.why = "the executor cannot guard pages";
    return m;
  }
  const std::vector<Case> cases = small_cases(probe, path);
  for (const Case& c : cases)
    if (c.placement == Placement::flush_end) m.align_fact.shapes.push_back(spec::to_line(c.shape));
  m.slack_fact.shapes = m.align_fact.shapes;
  const std::int64_t element = size_of(probe.dtype());
  if (const auto failure = first_failure(probe, cases, kMost, kMost)) {
    const auto& stray = failure->stray;
    m.align_fact.why =
        stray ? fmt::format("it {} {}, byte {}, however buffers are aligned",
                            stray->write ? "writes" : "reads", name_of(stray->buffer), stray->offset)
              : "it does not return, however buffers are aligned";
    m.slack_fact.why = m.align_fact.why;
    return m;
  }
  m.align = element;
  while (*m.align < kMost && first_failure(probe, cases, *m.align, kMost)) *m.align *= 2;
  // What does not fault with so many bytes does not with more.
  std::int64_t least = 0, most = kMost / element;
  while (least < most) {
    const std::int64_t middle = least + (most - least) / 2;
    if (first_failure(probe, cases, *m.align, middle * element))
      least = middle + 1;
    else
      most = middle;
  }
  m.read_slack = least * element;
  m.align_fact.answer = *m.align == element ? "that of its elements" : fmt::format("to {} bytes", *m.align);
  m.slack_fact.answer = *m.read_slack == 0 ? "nothing beyond a buffer"
                                           : fmt::format("up to {} bytes beyond a buffer", *m.read_slack);
  return m;
}

}  // namespace wgradcheck::check
