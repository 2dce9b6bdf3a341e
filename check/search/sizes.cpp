#include "check/search/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wgradcheck::check {
namespace {

void grow(spec::Axis<std::int64_t>& largest, const spec::Axis<std::int64_t>& a) {
  largest.input = std::max(largest.input, a.input);
  largest.kernel = std::max(largest.kernel, a.kernel);
  largest.stride = std::max(largest.stride, a.stride);
  largest.dilation = std::max(largest.dilation, a.dilation);
  largest.pad_before = std::max(largest.pad_before, a.pad_before);
}

}  // namespace

LargestSizes larger(const LargestSizes& so_far, const spec::Shape& s) {
  if (so_far.products == 0) return {s, spec::products(s)};
  LargestSizes largest = so_far;
  spec::Shape& l = largest.shape;
  l.batch = std::max(l.batch, s.batch);
  l.groups = std::max(l.groups, s.groups);
  l.in_channels = std::max(l.in_channels, s.in_channels);
  l.out_channels = std::max(l.out_channels, s.out_channels);
  grow(l.depth, s.depth);
  grow(l.height, s.height);
  grow(l.width, s.width);
  largest.products = std::max(largest.products, spec::products(s));
  return largest;
}

std::string in_words(const LargestSizes& l) {
  const spec::Shape& s = l.shape;
  const auto each = [&s](const char* letter, auto field) {
    const std::string depth = s.depth == spec::kNoAxis ? "" : fmt::format(" {}d{}", letter, s.depth.*field);
    return fmt::format("{} {}h{} {}w{}", depth, letter, s.height.*field, letter, s.width.*field);
  };
  using Axis = spec::Axis<std::int64_t>;
  // As benchdnn counts it, a dense filter has dilation 0.
  const auto dense = [&] { return fmt::format(" dh{} dw{}", s.height.dilation - 1, s.width.dilation - 1); };
  return fmt::format("up to mb{} g{} ic{} oc{}{}{}{}{}{}, {} products", s.batch, s.groups, s.in_channels,
                     s.out_channels, each("i", &Axis::input), each("k", &Axis::kernel),
                     each("s", &Axis::stride), dense(), each("p", &Axis::pad_before), l.products);
}

}  // namespace wgradcheck::check
