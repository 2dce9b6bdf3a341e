#include "check/search/extremes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

void grow(spec::Axis<std::int64_t>& largest, const spec::Axis<std::int64_t>& a) {
  largest.input = std::max(largest.input, a.input);
  largest.kernel = std::max(largest.kernel, a.kernel);
  largest.stride = std::max(largest.stride, a.stride);
  largest.dilation = std::max(largest.dilation, a.dilation);
  largest.pad_before = std::max(largest.pad_before, a.pad_before);
}

double share(std::int64_t used, const Case& c) {
  return c.workspace ? static_cast<double>(used) / static_cast<double>(c.workspace) : 0;
}

}  // namespace

void Extremes::add(const Case& c, const Outcome& outcome) {
  const spec::Shape& s = c.shape;
  if (share(outcome.workspace_used, c) > share(used_, fullest_)) {
    used_ = outcome.workspace_used;
    fullest_ = c;
  }
  if (products_ == 0) largest_ = s;
  products_ = std::max(products_, spec::products(s));
  largest_.batch = std::max(largest_.batch, s.batch);
  largest_.groups = std::max(largest_.groups, s.groups);
  largest_.in_channels = std::max(largest_.in_channels, s.in_channels);
  largest_.out_channels = std::max(largest_.out_channels, s.out_channels);
  grow(largest_.depth, s.depth);
  grow(largest_.height, s.height);
  grow(largest_.width, s.width);
}

std::string Extremes::sizes() const {
  if (products_ == 0) return "";
  const spec::Shape& s = largest_;
  const bool flat = s.depth.input == 1 && s.depth.kernel == 1;
  const auto each = [&](const char* letter, auto of) {
    const std::string depth = flat ? "" : fmt::format(" {}d{}", letter, of(s.depth));
    return fmt::format("{} {}h{} {}w{}", depth, letter, of(s.height), letter, of(s.width));
  };
  using Axis = spec::Axis<std::int64_t>;
  return fmt::format("up to mb{} g{} ic{} oc{}{}{}{}{}{}, {} products", s.batch, s.groups, s.in_channels,
                     s.out_channels, each("i", [](const Axis& a) { return a.input; }),
                     each("k", [](const Axis& a) { return a.kernel; }),
                     each("s", [](const Axis& a) { return a.stride; }),
                     // As in a problem line, a dense filter has dilation 0.
                     each("d", [](const Axis& a) { return a.dilation - 1; }),
                     each("p", [](const Axis& a) { return a.pad_before; }), products_);
}

std::string Extremes::workspace() const {
  if (used_ == 0) return "";
  return fmt::format("at most {} of {} bytes used, by {} with buffer_size_ {}", used_, fullest_.workspace,
                     spec::to_line(fullest_.shape), fullest_.buffer);
}

}  // namespace wgradcheck::check
