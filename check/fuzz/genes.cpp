#include "check/fuzz/genes.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "check/search/trial.hpp"

namespace wgradcheck::check {
namespace {

using Axis = spec::Axis<std::int64_t>;

std::uint16_t gene(std::string_view bytes, std::size_t i) {
  const auto byte = [&](std::size_t at) {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U;
  };
  return static_cast<std::uint16_t>(byte(2 * i) | byte(2 * i + 1) << 8);
}

/// The sizes of a shape in the order of their genes, from kBatch on.
constexpr std::size_t kSizes = kCores - kBatch, kOfAxis = kHeight - kDepth;
using Sizes = std::array<std::int64_t, kSizes>;

constexpr std::array<std::int64_t, kOfAxis> kAxisLeast{1, 1, 1, 1, 0, 0}, kAxisCount{512, 16, 16, 16, 64, 64};

std::int64_t least(std::size_t size) { return size < kDepth - kBatch ? 1 : kAxisLeast[(size - 4) % kOfAxis]; }

/// Values that a size may have, from its least on.
std::int64_t count(std::size_t size) {
  constexpr std::array<std::int64_t, 4> kCounts{512, 256, 256, 256};
  return size < kCounts.size() ? kCounts[size] : kAxisCount[(size - kCounts.size()) % kOfAxis];
}

/// What lies behind the last tap, padding or, where negative, elements that no tap reads: 0, -1, 1, -2, 2 ...
std::int64_t after_of(std::int64_t size) { return size % 2 == 0 ? size / 2 : -(size + 1) / 2; }
std::int64_t size_of_after(std::int64_t after) { return after >= 0 ? 2 * after : -2 * after - 1; }

Axis axis_of(std::span<const std::int64_t> sizes) {
  Axis a{1, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]};
  a.input = std::max<std::int64_t>(
      1, (a.output - 1) * a.stride + spec::span(a) - a.pad_before - after_of(sizes[5]));
  return a;
}

spec::Shape shape_with(const Sizes& sizes) {
  const std::span<const std::int64_t> all(sizes);
  const auto axis = [&](Gene first) { return axis_of(all.subspan(first - kBatch, kOfAxis)); };
  return {sizes[0],     sizes[1],      sizes[1] * sizes[2], sizes[1] * sizes[3],
          axis(kDepth), axis(kHeight), axis(kWidth)};
}

/// The structural classes, which random sizes would hardly meet.
enum class Kind { given, dense, depthwise, multiplier, pointwise, kinds };

void make(Kind kind, Sizes& sizes) {
  if (kind == Kind::dense || kind == Kind::pointwise) sizes[1] = 1;
  if (kind == Kind::depthwise || kind == Kind::multiplier) sizes[2] = 1;
  if (kind == Kind::depthwise) sizes[3] = 1;
  if (kind != Kind::pointwise) return;
  for (std::size_t i = kDepth - kBatch; i < kSizes; ++i)
    if ((i - 4) % kOfAxis != 0) sizes[i] = least(i);
}

/// The depth of a 2D shape: all sizes at their least.
void make_flat(Sizes& sizes) {
  for (std::size_t i = kDepth - kBatch; i < kHeight - kBatch; ++i) sizes[i] = least(i);
}

/// Ascend has no groups, pads under the dilated kernel, and an output that follows from the input.
void make_ascend(Sizes& sizes) {
  sizes[1] = 1;
  for (std::size_t at = kDepth - kBatch; at < kSizes; at += kOfAxis) {
    const std::int64_t span = (sizes[at + 1] - 1) * sizes[at + 3] + 1, stride = sizes[at + 2];
    sizes[at + 4] = std::min(sizes[at + 4], span - 1);
    sizes[at + 5] = size_of_after(std::clamp(after_of(sizes[at + 5]), 1 - stride, span - 1));
    // With no more padding than input there is an input for every output.
    if ((sizes[at] - 1) * stride + span - sizes[at + 4] - after_of(sizes[at + 5]) < 1)
      sizes[at + 4] = sizes[at + 5] = 0;
  }
}

bool exceeds(const Sizes& sizes, const Largest& most) {
  const auto s = shape_with(sizes);
  const auto product = [](auto... factors) { return (1.0 * ... * static_cast<double>(factors)); };
  const double outputs = product(s.batch, s.depth.output, s.height.output, s.width.output),
               inputs = product(s.batch, s.depth.input, s.height.input, s.width.input),
               dw = product(s.out_channels, s.depth.kernel, s.height.kernel, s.width.kernel, sizes[2]);
  return outputs * dw > most.products || dw > most.elements ||
         outputs * static_cast<double>(s.out_channels) > most.elements ||
         inputs * static_cast<double>(s.in_channels) > most.elements;
}

void keep_within(const Largest& most, Sizes& sizes) {
  const auto excess = [&sizes](std::size_t i) { return sizes[i] - least(i); };
  while (exceeds(sizes, most)) {
    std::size_t largest = 0;
    for (std::size_t i = 1; i < kSizes; ++i)
      if (excess(i) > excess(largest)) largest = i;
    sizes[largest] = least(largest) + excess(largest) / 2;
  }
}

/// Buffers around the limit, where chunks are few positions, and at times the usual one, which is 0.
std::int64_t buffer_of(std::uint16_t g, const Case& c) {
  return g == 0 ? 0 : spec::buffer_limit(call_of(c)) * (1 + g % 6) + g / 6 % 4;
}

template <class List>
auto pick(const List& list, std::uint16_t g) {
  return list[g % std::size(list)];
}

}  // namespace

spec::Shape shape_of(std::string_view bytes, const Abi& abi, const Largest& most) {
  Sizes sizes{};
  for (std::size_t i = 0; i < kSizes; ++i) sizes[i] = least(i) + gene(bytes, kBatch + i) % count(i);
  const std::uint16_t kind = gene(bytes, kKind);
  constexpr auto kKinds = static_cast<std::uint16_t>(Kind::kinds);
  make(static_cast<Kind>(kind % kKinds), sizes);
  if (!abi.host || kind / kKinds % 2 == 0) make_flat(sizes);
  keep_within(most, sizes);
  if (abi.ascend) make_ascend(sizes);
  return shape_with(sizes);
}

std::optional<Trial> trial_of(std::string_view bytes, const Domain& domain, const Promises& promises,
                              int exact_bits, const Largest& most) {
  Case c;
  c.shape = shape_of(bytes, *domain.abi, most);
  c.core_mask = pick(domain.core_masks, gene(bytes, kCores));
  c.bias = pick(domain.biases, gene(bytes, kBias));
  c.placement = pick(kPlacements, gene(bytes, kPlacement));
  c.dtype = domain.abi->dtype;
  if (domain.abi->host)
    c.implementation = pick(domain.implementations, gene(bytes, kImplementation));
  else
    c.buffer = buffer_of(gene(bytes, kBuffer), c);
  for (std::size_t i = 0; i < 4; ++i) c.seed = c.seed << 16 | gene(bytes, kSeed + i);
  c.seed >>= 1;
  if (admit(domain, c)) return {};
  return Trial{c, nth_fill(gene(bytes, kFill) % 8, exact_bits, promises, c.dtype)};
}

std::string bytes_of(const spec::Shape& s, std::uint64_t rest) {
  std::array<std::uint16_t, kGenes> genes{};
  const auto put = [&](std::size_t at, std::int64_t value) {
    genes[at] = static_cast<std::uint16_t>(std::clamp<std::int64_t>(value, 0, count(at - kBatch) - 1));
  };
  const bool flat = s.depth == spec::kNoAxis;
  genes[kKind] = flat ? 0 : static_cast<std::uint16_t>(Kind::kinds);
  put(kBatch, s.batch - 1);
  put(kGroups, s.groups - 1);
  put(kIns, spec::in_per_group(s) - 1);
  put(kOuts, spec::out_per_group(s) - 1);
  for (const auto& [at, a] : {std::pair{kDepth, s.depth}, {kHeight, s.height}, {kWidth, s.width}}) {
    std::size_t i = at;
    for (const std::int64_t value : {a.output - 1, a.kernel - 1, a.stride - 1, a.dilation - 1, a.pad_before,
                                     size_of_after(spec::pad_after(a))})
      put(i++, value);
  }
  for (std::size_t i = kCores; i < kGenes; ++i)
    genes[i] = static_cast<std::uint16_t>(rest >> (i - kCores) * 4 & 15);
  std::string bytes;
  for (const std::uint16_t g : genes) bytes += {static_cast<char>(g & 0xff), static_cast<char>(g >> 8)};
  return bytes;
}

}  // namespace wgradcheck::check
