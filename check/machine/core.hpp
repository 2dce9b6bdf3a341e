#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "check/machine/memory.hpp"
#include "check/run/lent.hpp"

namespace wgradcheck::check {

/// What a core's process tells of itself, in memory shared with the one that watches.
struct CoreReport {
  enum class Kind : std::uint32_t { running, ended, fault, failed, unmapped };

  std::atomic<Kind> kind = Kind::running;
  std::uint64_t address = 0;               ///< of the access, for `fault`
  std::array<char, 1000> sentence{};       ///< what went wrong, for `failed` and `unmapped`
  std::atomic<std::int32_t> waits_in{-1};  ///< barrier in which the core waits, or -1
};

/// Shared by all processes of a run.
struct MachineState {
  std::array<Barrier, Core::kBarriers> barriers;
  std::array<CoreReport, kMostCores> cores;
};

/// Plays one core in this process, which ends: maps its memories, calls the program's main, leaves a report.
[[noreturn]] void play_core(int core, const Memories&, MachineState&, const std::string& program,
                            const std::string& kernels);

}  // namespace wgradcheck::check
