#include "check/profile/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace wgradcheck::check {
namespace {

using Part = std::vector<int>;
using Parts = std::vector<Part>;
using Kind = Height::Kind;

bool steps_by(const Part& part, int step) {
  return std::ranges::adjacent_find(part, [step](int a, int b) { return b != a + step; }) == part.end();
}

/// Whether all parts but the last, which may be smaller, have the same size and each goes up by one.
bool are_blocks(const Parts& parts) {
  const std::size_t size = parts.front().size();
  for (const Part& part : parts)
    if (!steps_by(part, 1) || part.size() > size || (part.size() < size && &part != &parts.back()))
      return false;
  return true;
}

/// Whether the parts are of one size up to one product.
bool are_even(const Parts& parts) {
  const auto [least, most] = std::ranges::minmax(parts, {}, [](const Part& p) { return p.size(); });
  return most.size() - least.size() <= 1;
}

bool are_interleaved(const Parts& parts) {
  const int step = static_cast<int>(parts.size());
  return std::ranges::all_of(parts, [step](const Part& part) { return steps_by(part, step); });
}

std::string order_of(const Part& part) {
  if (steps_by(part, 1)) return "sequential";
  return steps_by(part, -1) ? "reversed" : "one by one, in another order";
}

}  // namespace

Form form_of(const SumTree& tree) {
  const Parts parts = tree.parts();
  const auto terms = static_cast<std::int64_t>(tree.leaves(tree.root()).size());
  const auto count = std::ssize(parts);
  Form f{"", parts.size() == 1, count, tree.height(tree.root()), {}};
  if (f.running) {
    f.words = order_of(parts.front());
    return f;
  }
  if (f.height == static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(terms - 1)))) {
    f.words = "pairwise";
    f.heights = {{Kind::pairwise}};
    return f;
  }
  const auto size = std::ssize(parts.front());
  // Added up in pairs, the blocks are no higher than one by one.
  if (are_blocks(parts)) f.heights.push_back({Kind::blocked, size});
  if (are_even(parts)) f.heights.push_back({Kind::split, count});
  if (are_blocks(parts))
    f.words = fmt::format("{} blocks of {}", count, size);
  else if (are_interleaved(parts))
    f.words = fmt::format("{} interleaved sums", count);
  else
    f.words = are_even(parts) ? fmt::format("{} sums of {}", count, size)
                              : fmt::format("a tree of height {}", f.height);
  return f;
}

}  // namespace wgradcheck::check
