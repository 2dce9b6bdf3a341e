#pragma once
#include <cstdint>
#include <string>
#include <utility>

namespace wgradcheck::check {

/// A part of a run that several machines share; all parts together run what one run does.
struct Shard {
  std::int64_t index = 0, count = 1;  ///< index from 0

  /// The numbers of its generated cases, half-open.
  std::pair<std::int64_t, std::int64_t> part_of(std::int64_t cases) const {
    return {cases / count * index + cases % count * index / count,
            cases / count * (index + 1) + cases % count * (index + 1) / count};
  }
  /// Whether it runs number i of a list.
  bool holds(std::int64_t i) const { return i % count == index; }
};

/// Reads `i/n`, as --shard takes it, i from 1. Throws BadInput.
Shard shard_of(const std::string& text);

}  // namespace wgradcheck::check
