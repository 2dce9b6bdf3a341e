#include "check/profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace wgradcheck::check {
namespace {

/// The lines whose trees are looked at.
std::vector<LineKind> kinds_of(const Probe& probe, spec::Path path) {
  // Two numbers of terms tell blocks of one size from one number of blocks.
  std::vector<LineKind> kinds{{.path = path, .terms = 64},
                              {.path = path, .terms = 40},
                              {.path = path, .along = Along::column, .terms = 24},
                              {.path = path, .along = Along::images, .terms = 24},
                              {.path = path, .along = Along::all, .terms = 40},
                              {.path = path, .terms = 40, .wide = true}};
  if (path == spec::Path::general)
    kinds.push_back({.path = path, .along = Along::all, .terms = 48, .wide = true, .square = true});
  if (!probe.host()) kinds.push_back({.path = path, .along = Along::all, .terms = 40, .chunk = 4});
  for (const std::uint32_t mask : probe.domain().core_masks) {
    if (std::popcount(mask) == 1) continue;
    kinds.push_back({.path = path, .along = Along::images, .terms = 24, .core_mask = mask});
    if (path == spec::Path::general) kinds.push_back({.path = path, .terms = 24, .core_mask = mask});
  }
  return kinds;
}

/// The trees of a path of which the rest is learnt.
std::vector<SeenTree> learn_trees(const Probe& probe, const PathProfile& p) {
  const auto& mode = p.accumulator.sums;
  const bool directed = mode && *mode > RoundingMode::nearest_away, repeats = p.repeats.repeats == true;
  std::vector<SeenTree> seen;
  for (const LineKind& kind : kinds_of(probe, p.path)) {
    SeenTree one{line_of(probe, kind), std::popcount(kind.core_mask), {}, {}};
    one.revealed.why = repeats ? "masks tell trees of additions that round to nearest alone"
                               : "the order changes from call to call";
    if (repeats && !directed) one.revealed = reveal(probe, one.line, *p.adds.adds);
    if (one.revealed.tree) one.form = form_of(*one.revealed.tree);
    seen.push_back(std::move(one));
  }
  return seen;
}

/// A path on which no call returns.
PathProfile not_running(PathProfile p) {
  const auto fact = [&p](const char* name) {
    return Fact{name, {}, "one product: " + p.adds.fact.why, p.adds.fact.on, p.adds.fact.shapes};
  };
  p.accumulator.facts = {fact("accumulator")};
  p.subnormals.fact = fact("subnormals");
  p.repeats.fact = fact("repeat");
  return p;
}

PathProfile learn_path(const Probe& probe, spec::Path path) {
  const auto& masks = probe.domain().core_masks;
  PathProfile p;
  p.path = path;
  p.adds = learn_adds(probe, path);
  if (!p.adds.adds) return not_running(std::move(p));
  const bool adds = *p.adds.adds;
  if (!probe.host() && path != spec::Path::depthwise) p.bias = learn_bias(probe, path);
  if (path != spec::Path::pointwise) p.padding = learn_padding(probe, path);
  p.repeats = learn_repeats(probe, path, masks);
  p.subnormals = learn_subnormals(probe, path, adds);
  p.accumulator = learn_accumulator(probe, path);
  const std::uint32_t most = *std::ranges::max_element(masks, {}, std::popcount<std::uint32_t>);
  if (p.accumulator.bits) p.roundings = learn_roundings(probe, path, *p.accumulator.bits, most);
  p.trees = learn_trees(probe, p);
  return p;
}

}  // namespace

Profile learn_profile(Executor& executor, const Domain& given) {
  Profile profile;
  Domain domain = given;
  std::vector<MemoryNeeds> memory;
  const Probe first(executor, domain);
  for (const spec::Path path : kPaths) memory.push_back(learn_memory(first, path));
  // What a kernel needs it gets from here on, and what a host kernel is asked for is what it can do.
  for (const MemoryNeeds& m : memory) {
    domain.align = std::max(domain.align, m.align.value_or(0));
    domain.read_slack = std::max(domain.read_slack, m.read_slack.value_or(0));
  }
  if (domain.abi->host)
    domain.accumulate = learn_adds(first, spec::Path::general).adds.value_or(domain.accumulate);
  const Probe probe(executor, domain);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    profile.paths.push_back(learn_path(probe, kPaths[i]));
    profile.paths.back().memory = std::move(memory[i]);
  }
  profile.calls = first.calls() + probe.calls();
  return profile;
}

}  // namespace wgradcheck::check
