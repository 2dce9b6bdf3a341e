#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/report/verdict.hpp"
#include "check/search/against.hpp"
#include "check/search/generate.hpp"
#include "check/search/shard.hpp"
#include "check/search/source.hpp"

namespace wgradcheck::check {

/// What a check is asked to do.
struct Plan {
  Domain domain;
  std::vector<Aim> aims;
  std::vector<spec::Shape> shapes;  ///< run these; when empty, generate
  std::int64_t cases = 2000;        ///< how many to generate
  std::chrono::seconds time{3600};  ///< stop the search after this
  std::uint64_t seed = 0;
  Shard shard{};               ///< run this part of the cases or shapes alone
  std::set<Property> skip;     ///< channels not judged
  bool shrink = true;          ///< whether a counterexample is made smaller
  std::vector<Trial> first;    ///< run before everything else, such as a saved counterexample
  Against* against = nullptr;  ///< an old kernel to compare each run with; may be null
  Source* source = nullptr;    ///< of what to run instead of generated cases; may be null
  bool stop_at_first = false;  ///< whether one counterexample is enough
  std::function<bool()> stopped = [] { return false; };  ///< whether the search is to end now
};

/// Told while a check goes on.
struct Watcher {
  std::function<void(std::int64_t run, std::int64_t of)> progress = [](std::int64_t, std::int64_t) {};
  std::function<void(const Case&, const Finding&)> failure = [](const Case&, const Finding&) {};
};

/// Searches the domain for a counterexample, shrinks each property's first one and diagnoses it. `sanitized`
/// runs the same kernel under sanitizers, and may be null.
Verdict check_kernel(Executor&, Executor* sanitized, const Promises&, const Plan&, const Watcher&);

}  // namespace wgradcheck::check
