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

/// What runs of the cases showed.
struct Seen {
  std::optional<Outcome> failure{};  ///< of the first that does not return
  bool any_returned = false;
};

/// Runs the cases with these needs met, up to the first that does not return.
Seen try_all(const Probe& probe, const std::vector<Case>& cases, std::int64_t align, std::int64_t slack) {
  // In small batches: the first fault ends it.
  constexpr std::size_t kBatch = 8;
  Seen seen;
  for (std::size_t at = 0; at < cases.size(); at += kBatch) {
    std::vector<Question> questions;
    for (std::size_t i = at; i < std::min(at + kBatch, cases.size()); ++i) {
      questions.push_back({.test = cases[i]});
      questions.back().test.align = align;
      questions.back().test.read_slack = slack;
    }
    for (const Reply& r : probe.ask(questions)) {
      seen.any_returned = seen.any_returned || r.returned();
      if (r.returned() || r.outcome.status == Outcome::Status::not_run) continue;
      seen.failure = r.outcome;
      return seen;
    }
  }
  return seen;
}

/// Why nothing can be learnt of a kernel that, with all needs met, does not return from all cases; empty
/// where something can.
std::string why_not(const Seen& seen) {
  if (!seen.failure) return seen.any_returned ? "" : "it takes none of the cases";
  const auto& stray = seen.failure->stray;
  if (!stray) return "it does not return, however buffers are aligned";
  return fmt::format("it {} {}, byte {}, however buffers are aligned", stray->write ? "writes" : "reads",
                     name_of(stray->buffer), stray->offset);
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
  if (const std::string why = why_not(try_all(probe, cases, kMost, kMost)); !why.empty()) {
    m.align_fact.why = m.slack_fact.why = why;
    return m;
  }
  m.align = element;
  while (*m.align < kMost && try_all(probe, cases, *m.align, kMost).failure) *m.align *= 2;
  // What does not fault with so many bytes does not with more.
  std::int64_t least = 0, most = kMost / element;
  while (least < most) {
    const std::int64_t middle = least + (most - least) / 2;
    if (try_all(probe, cases, *m.align, middle * element).failure)
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
