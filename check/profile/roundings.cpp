#include "check/profile/roundings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "check/judge/number.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

constexpr int kAbove = 7;  ///< M has so many bits more than the element type: more than a line has ones

/// Roundings to the element type between products of a line; -1 where a result makes no sense.
std::int64_t count_roundings(const Probe& probe, const LineKind& kind) {
  const Line line = line_of(probe, kind);
  const DType t = probe.dtype();
  // In binary16 ones are 2^-4, so that M fits.
  const double one = t == DType::f16 ? 0x1p-2 : 1;
  const int power = significant_bits(t) + kAbove;
  const Factors large{std::ldexp(one, power / 2), std::ldexp(one, power - power / 2)};
  std::vector<Question> questions;
  const auto last = static_cast<std::size_t>(line.terms() - 1);
  // From either end, since the order may be the reverse.
  for (const std::size_t end : {std::size_t{0}, last})
    for (std::size_t j = 0; j <= last; ++j) {
      if (j == end) continue;
      std::vector<Factors> products(last + 1, Factors{one, one});
      products[end] = large;
      products[j] = -large;
      questions.push_back(with_products(line, products));
    }
  const std::vector<Reply> replies = probe.ask(questions);
  std::size_t most = 0;
  for (const std::size_t from : {std::size_t{0}, last}) {
    std::set<double> lost;
    for (std::size_t k = 0; k < last; ++k) {
      const double value = replies[from + k].element(line.element) / (one * one);
      if (std::isnan(value)) return -1;
      if (value != static_cast<double>(last - 1)) lost.insert(value);
    }
    most = std::max(most, lost.size());
  }
  return static_cast<std::int64_t>(most);
}

}  // namespace

Roundings learn_roundings(const Probe& probe, spec::Path path, int accumulator_bits,
                          std::uint32_t core_mask) {
  Roundings r{Partials::unclear, {"rounded_to_element", {}, {}, "rows of 24 and 12 images", {}}};
  constexpr std::int64_t kTerms = 24, kChunk = 4, kImages = 12;
  const LineKind row{.path = path, .terms = kTerms}, chunked{.path = path, .terms = kTerms, .chunk = kChunk},
      images{.path = path, .along = Along::images, .terms = kImages};
  LineKind shared = images;
  shared.core_mask = core_mask;
  for (const LineKind& kind : {row, images})
    r.fact.shapes.push_back(spec::to_line(line_of(probe, kind).test.shape));
  if (accumulator_bits < significant_bits(probe.dtype()) + kAbove + 1) {
    r.partials = Partials::none;
    r.fact.answer = "at every addition, the sum being no wider";
    return r;
  }
  const std::int64_t in_row = count_roundings(probe, row), in_images = count_roundings(probe, images),
                     in_chunks = probe.host() ? in_row : count_roundings(probe, chunked),
                     on_cores = count_roundings(probe, shared);
  // Between M and -M in other chunks there is a rounding fewer than chunks; where M is alone in its own, the
  // first loses nothing.
  constexpr std::int64_t kBetweenChunks = kTerms / kChunk - 1, kBetweenImages = kImages - 2;
  if (std::min({in_row, in_images, in_chunks, on_cores}) < 0) {
    r.fact.why = "a sum did not return a number";
  } else if (in_row != 0) {
    r.fact.why = fmt::format("it is rounded {} times within a row of {} in one chunk", in_row, kTerms);
  } else if (in_chunks == kBetweenChunks && in_images == kBetweenImages) {
    r.partials = Partials::each_chunk;
    r.fact.answer = "after each chunk";
  } else if (in_chunks == 0 && in_images == kBetweenImages) {
    r.partials = Partials::each_image;
    r.fact.answer = "after each image";
  } else if (in_chunks == 0 && in_images == 0 && on_cores > 0) {
    r.partials = Partials::each_core;
    r.fact.answer = "after each core's share";
  } else if (in_chunks == 0 && in_images == 0) {
    r.partials = Partials::none;
    r.fact.answer = "once, at the end";
  } else {
    r.fact.why = fmt::format("{} times in {} chunks, {} in {} images, {} on several cores", in_chunks,
                             kTerms / kChunk, in_images, kImages, on_cores);
  }
  return r;
}

}  // namespace wgradcheck::check
