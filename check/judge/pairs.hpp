#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "spec/shape.hpp"

namespace wgradcheck::check {

/// The positions that one tap pairs inside the input, row by row: the pixels of dy and of x at which each row
/// starts.
struct RowPairs {
  std::vector<std::int64_t> dy, x;
  std::int64_t columns = 0;  ///< pixels in a row
  std::int64_t stride = 1;   ///< of x along a row, pixels
};

/// Some of these rows.
struct Run {
  std::span<const std::int64_t> dy, x;
  std::int64_t columns = 0, stride = 1;
};

/// Rows [first, first + count) as far as there are any.
inline Run run_of(const RowPairs& pairs, std::int64_t first, std::int64_t count) {
  const auto some = [=](std::span<const std::int64_t> rows) {
    const auto from = std::min(static_cast<std::size_t>(first), rows.size());
    return rows.subspan(from, std::min(static_cast<std::size_t>(count), rows.size() - from));
  };
  return {some(pairs.dy), some(pairs.x), pairs.columns, pairs.stride};
}

/// All pairs of a tap, by the definition.
RowPairs row_pairs(const spec::Shape&, std::int64_t kd, std::int64_t kh, std::int64_t kw);

/// The same for the tap at a place in dW's order.
RowPairs row_pairs(const spec::Shape&, std::int64_t tap);

}  // namespace wgradcheck::check
