#include <fmt/format.h>

#include <algorithm>

#include "check/judge/number.hpp"
#include "check/profile/profile.hpp"
#include "check/report/words.hpp"

namespace wgradcheck::check {
namespace {

/// Collects promises, and the reasons why others are not made.
class Deriver {
 public:
  Deriver(Profile& profile, const Domain& domain) : profile_(profile), domain_(domain) {}

  void derive() {
    sums();
    height();
    splits();
    rules();
    memory();
  }

 private:
  void promise(const std::string& key, const std::string& value) {
    profile_.promises.push_back(key + "=" + value);
  }
  void leave(const std::string& key, const std::string& why) {
    profile_.unpromised.push_back(key + ": " + why);
  }

  /// What every path says of it; nothing, and why, where one is not clear or they differ. Paths of which
  /// `get` is null have no say.
  template <class T, class Get>
  std::optional<T> common(const std::string& key, Get get) {
    std::optional<T> all;
    for (const PathProfile& p : profile_.paths) {
      const auto [value, fact] = get(p);
      if (!fact) continue;
      if (!value) {
        leave(key, fmt::format("not clear on the {} path: {}", name_of(p.path), fact->why));
        return {};
      }
      if (all && *all != *value) {
        leave(key, "paths differ");
        return {};
      }
      all = value;
    }
    return all;
  }

  /// The narrowest accumulator, and what its sums are rounded to on their way.
  void sums() {
    std::optional<int> bits;
    bool directed = false;
    for (const PathProfile& p : profile_.paths) {
      const Accumulator& a = p.accumulator;
      if (!a.bits || !p.roundings || p.roundings->partials == Partials::unclear) {
        const Fact& fact = a.bits ? p.roundings->fact : a.facts.front();
        return leave("acc", fmt::format("not clear on the {} path: {}", name_of(p.path), fact.why));
      }
      bits = std::min(bits.value_or(*a.bits), *a.bits);
      directed |= !a.sums || *a.sums > RoundingMode::nearest_away;
      if (!a.sums) leave("rounding", "the mode is not clear, so that either direction is allowed");
    }
    constexpr int kDouble = 53;
    const char* const type = *bits >= kDouble                         ? "f64"
                             : *bits >= significant_bits(DType::f32)  ? "f32"
                             : *bits >= significant_bits(DType::f16)  ? "f16"
                             : *bits >= significant_bits(DType::bf16) ? "bf16"
                                                                      : nullptr;
    if (!type) return leave("acc", fmt::format("{} bits are fewer than bf16's", *bits));
    promise("acc", type);
    promise("rounding", directed ? "directed" : "nearest");
    clear_sums_ = true;
  }

  /// Why a tree is not clear; nothing where all are.
  std::optional<std::string> first_unclear() const {
    for (const PathProfile& p : profile_.paths) {
      if (p.trees.empty()) return p.adds.fact.why;
      for (const SeenTree& t : p.trees)
        if (!t.form) return t.revealed.why;
    }
    return {};
  }

  template <class Test>
  bool all_trees(Test test) const {
    return std::ranges::all_of(profile_.paths,
                               [&](const PathProfile& p) { return std::ranges::all_of(p.trees, test); });
  }

  /// The lowest of the heights that the two first trees of a path suggest and that all trees keep.
  std::optional<Height> lowest() const {
    std::vector<Height> heights;
    for (const PathProfile& p : profile_.paths)
      for (const Height& h : p.trees[0].form->heights)
        if (std::ranges::find(p.trees[1].form->heights, h) != p.trees[1].form->heights.end())
          heights.push_back(h);
    if (!domain_.abi->host) heights.push_back({Height::Kind::chunks});
    std::erase_if(heights, [&](const Height& h) {
      return !all_trees([&](const SeenTree& t) { return t.form->height <= h.of(t.line.test); });
    });
    constexpr std::int64_t kMany = 4096;
    Case many{.shape = {1, 1, 1, 1, spec::kNoAxis, spec::kNoAxis, {kMany, kMany, 1, 1, 1, 0}},
              .buffer = kUsualBuffer,
              .host = domain_.abi->host};
    const auto found = std::ranges::min_element(heights, {}, [&](const Height& h) { return h.of(many); });
    return found == heights.end() ? std::nullopt : std::optional(*found);
  }

  void height() {
    if (const auto why = first_unclear()) return leave("height", "a tree is not clear: " + *why);
    promise("algorithm", "direct");
    if (!clear_sums_) return leave("height", "the accumulator is not clear");
    // No tree is higher than a sequential one.
    height_ = lowest().value_or(Height{});
    promise("height", height_->text());
  }

  void splits() {
    if (!clear_sums_) return;
    const auto any = [this](Partials wanted) {
      return std::ranges::any_of(profile_.paths, [wanted](const PathProfile& p) {
        return p.roundings && p.roundings->partials == wanted;
      });
    };
    const bool chunks = any(Partials::each_chunk), images = any(Partials::each_image),
               cores = any(Partials::each_core);
    if (chunks || images || cores) {
      promise("partials", dtype_name(domain_.abi->dtype));
      if (!images && chunks != cores)
        promise("splits", chunks ? "chunks" : "cores");
      else
        leave("splits", "partials are of images, or of several kinds");
      return;
    }
    if (first_unclear()) return;
    if (height_ && height_->kind == Height::Kind::split)
      return promise("splits", std::to_string(height_->size));
    if (!all_trees([](const SeenTree& t) { return t.form->parts <= t.cores; })) return;
    promise("splits", all_trees([](const SeenTree& t) { return t.form->running; }) ? "1" : "cores");
  }

  void rules() {
    using Pair = std::pair<std::optional<bool>, const Fact*>;
    if (const auto adds = common<bool>("dw", [](const PathProfile& p) {
          return Pair{p.adds.adds, &p.adds.fact};
        }))
      promise("dw", *adds ? "add" : "overwrite");
    if (const auto bias = common<Bias>("bias", [](const PathProfile& p) {
          return p.bias ? std::pair{p.bias->bias, static_cast<const Fact*>(&p.bias->fact)}
                        : std::pair{std::optional<Bias>(), static_cast<const Fact*>(nullptr)};
        }))
      promise("bias", bias_name(*bias));
    const auto skips = common<bool>("nonfinite_padding", [](const PathProfile& p) {
      return p.padding ? Pair{p.padding->skips, &p.padding->fact} : Pair{{}, nullptr};
    });
    if (skips && *skips) promise("nonfinite_padding", "skip");
    const auto kept = common<bool>("subnormals", [](const PathProfile& p) {
      return Pair{p.subnormals.kept, &p.subnormals.fact};
    });
    if (kept) promise("subnormals", *kept ? "keep" : "flush");
    const auto repeats = common<bool>("repeat", [](const PathProfile& p) {
      return Pair{p.repeats.repeats, &p.repeats.fact};
    });
    if (repeats && *repeats) promise("repeat", "bits");
  }

  /// What the neediest path needs.
  void memory() {
    std::int64_t align = 0, slack = 0;
    for (const PathProfile& p : profile_.paths) {
      const MemoryNeeds& m = p.memory;
      if (!m.align || !m.read_slack)
        return leave("align, read_slack",
                     fmt::format("not clear on the {} path: {}", name_of(p.path), m.align_fact.why));
      align = std::max(align, *m.align);
      slack = std::max(slack, *m.read_slack);
    }
    promise("align", std::to_string(align));
    promise("read_slack", std::to_string(slack));
  }

  Profile& profile_;
  const Domain& domain_;
  bool clear_sums_ = false;
  std::optional<Height> height_;
};

}  // namespace

void derive_promises(Profile& profile, const Domain& domain) { Deriver(profile, domain).derive(); }

}  // namespace wgradcheck::check
