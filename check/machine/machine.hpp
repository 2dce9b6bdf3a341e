#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "check/machine/memory.hpp"

namespace wgradcheck::check {

/// Runs programs on cores that are processes: they see the memories at their addresses, and get_core_id,
/// GetLogicCoreId, GetCoreNum and sys_bar answer for the core. Core numbers are [0, cores).
class Machine {
 public:
  /// Requires 1 <= cores <= kMostCores. Throws std::system_error.
  explicit Machine(int cores) : cores_(cores), memories_(cores) {}

  int cores() const { return cores_; }
  const Memories& memories() const { return memories_; }

  /// Calls main of the shared object `program` on every core and waits for all; `kernels` is the shared
  /// object whose entry points it calls, unless it defines them itself. Returns what went wrong, as a
  /// sentence, or nothing: an access outside the memories, a signal, a refused call, no end within `limit`.
  /// Throws std::system_error where the memories cannot be had.
  std::optional<std::string> run(const std::string& program, const std::string& kernels,
                                 std::chrono::nanoseconds limit);

 private:
  int cores_;
  Memories memories_;
};

}  // namespace wgradcheck::check
