#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "check/kernel.hpp"
#include "check/run/arena.hpp"
#include "check/run/lent.hpp"
#include "check/run/reached.hpp"

namespace wgradcheck::check {

inline constexpr int kMaxCores = 32;  ///< bits of a core mask
inline constexpr int kMaxTasks = 64;  ///< cases handed over at once

/// One case as the workers see it: where its buffers lie and which cores run it.
struct Task {
  Layout layout;
  bool has_bias = false;
  bool resident = false;        ///< its pages stay open for the worker's life, else for this case alone
  std::uint32_t core_mask = 0;  ///< none: the task is skipped
  Word entered{0}, left{0};     ///< cores that have begun, and in which the kernel has returned
  std::array<Barrier, Core::kBarriers> barriers{};
  wgrad_problem problem{};              ///< of a host kernel
  std::int64_t workspace = 0;           ///< its answer when asked for the workspace, bytes
  std::array<char, WGRAD_TEXT> text{};  ///< and what it said of the problem
  int returned = 0;                     ///< what a host kernel returned
  Word floats_altered{0};  ///< a core came back with another rounding mode, or flushing subnormals
  Word reached_new{0};     ///< a core came where no call had come before
};

/// What a worker's signal handler saw. `signal` is written last.
struct Fault {
  Word claimed{0}, signal{0};
  std::uintptr_t address = 0;
  bool has_address = false, write = false, stack_overflow = false, exception = false;
  std::array<char, 256> text{};  ///< what the exception said
};

/// What one worker tells the others.
struct CoreState {
  std::atomic<std::int32_t> task{-1};      ///< the task that it is in
  std::atomic<std::int32_t> waits_in{-1};  ///< the sys_bar that it waits in
};

/// The memory through which the parent and its workers talk. Nothing else connects them, so a kernel may
/// close every descriptor.
struct Control {
  Word batch{0};             ///< number of the batch handed over; the workers sleep on it
  Word news{0};              ///< grows when the parent, which sleeps on it, should look
  Word ready{0};             ///< workers that have loaded the kernel
  Word finished{0};          ///< workers that have been through the batch
  int crew = 1;              ///< workers
  int first = 0, count = 0;  ///< the batch: tasks [first, count)
  bool asks = false;         ///< whether a host kernel is asked for the tasks' workspaces, else run
  Fault fault;
  Word load_failed{0};
  std::array<char, 512> load_error{};  ///< the loader's message, once load_failed
  Reached reached{};
  std::array<CoreState, kMaxCores> cores;
  std::array<Task, kMaxTasks> tasks;
};

/// The life of the worker that plays the core of that rank in every task: loads the kernel, then runs batches
/// until killed. To be called in a child process; `arena` is closed to the kernel but for the tasks' pages.
[[noreturn]] void work(Control&, const SharedMemory& arena, const Kernel&, int rank);

}  // namespace wgradcheck::check
