#pragma once
#include <optional>

#include "check/profile/line.hpp"

namespace wgradcheck::check {

/// What a path needs of the memory around its buffers.
struct MemoryNeeds {
  std::optional<std::int64_t> align;       ///< bytes that each buffer must start at a multiple of
  std::optional<std::int64_t> read_slack;  ///< bytes beyond a buffer's end that are read, at most
  Fact align_fact, slack_fact;
};

/// Learns it from small shapes of 1 to 17 channels and columns, whose buffers touch an inaccessible page: the
/// least alignment with which none faults, then the least number of readable bytes after the buffers. Not
/// clear where the executor has no such pages.
MemoryNeeds learn_memory(const Probe&, spec::Path);

}  // namespace wgradcheck::check
