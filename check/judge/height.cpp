#include "check/judge/height.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "check/search/domain.hpp"

namespace wgradcheck::check {
namespace {

using Kind = Height::Kind;

/// A kind and how it is written, a size after a colon.
struct Word {
  Kind kind;
  const char* text;
};

constexpr std::array kWords{Word{Kind::sequential, "sequential"}, Word{Kind::pairwise, "pairwise"},
                            Word{Kind::blocked, "blocked:"},      Word{Kind::split, "split:"},
                            Word{Kind::chunks, "chunks"},         Word{Kind::at_most, ""}};

bool has_size(Kind k) { return k == Kind::blocked || k == Kind::split || k == Kind::at_most; }

/// A number from 1.
std::optional<std::int64_t> to_size(std::string_view digits) {
  std::int64_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (error != std::errc() || end != digits.data() + digits.size() || size < 1) return {};
  return size;
}

/// Additions of `terms` sums of `each`, both one by one.
std::int64_t in_blocks(std::int64_t each, std::int64_t blocks) {
  return each - 1 + std::max<std::int64_t>(blocks, 1) - 1;
}

}  // namespace

std::optional<Height> Height::parse(std::string_view text) {
  for (const auto& [kind, word] : kWords) {
    if (!text.starts_with(word)) continue;
    const std::string_view rest = text.substr(std::string_view(word).size());
    if (!has_size(kind)) return rest.empty() ? std::optional(Height{kind}) : std::nullopt;
    const auto size = to_size(rest);
    return size ? std::optional(Height{kind, *size}) : std::nullopt;
  }
  return {};
}

std::string Height::text() const {
  const char* const word = std::ranges::find(kWords, kind, &Word::kind)->text;
  return has_size(kind) ? fmt::format("{}{}", word, size) : word;
}

std::int64_t Height::of(const Case& c) const {
  const std::int64_t n = positions_of(c);
  switch (kind) {
    case Kind::sequential:
      return n - 1;
    case Kind::pairwise:
      return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
    case Kind::blocked:
      return in_blocks(std::min(size, n), spec::ceil_div(n, size));
    case Kind::split:
      return in_blocks(spec::ceil_div(n, size), std::min(size, n));
    case Kind::chunks: {
      const std::int64_t plane = n / c.shape.batch;
      return c.host ? n - 1 : in_blocks(std::min(spec::chunk(call_of(c)), plane), chunks_of(c));
    }
    case Kind::at_most:
      return std::min(size, n - 1);
  }
  return n - 1;
}

std::int64_t positions_of(const Case& c) {
  const spec::Shape& s = c.shape;
  return s.batch * s.depth.output * s.height.output * s.width.output;
}

std::int64_t chunks_of(const Case& c) {
  if (c.host) return 1;
  const std::int64_t plane = c.shape.height.output * c.shape.width.output;
  return c.shape.batch * spec::ceil_div(plane, spec::chunk(call_of(c)));
}

}  // namespace wgradcheck::check
