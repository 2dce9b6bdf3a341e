#pragma once
#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/worker.hpp"

namespace wgradcheck::check {

/// How a run of tasks ended, or that all returned.
struct Ending {
  Outcome::Status status = Outcome::Status::returned;
  int code = 0;                                   ///< as in Outcome
  std::string detail{};                           ///< as in Outcome
  std::optional<std::uintptr_t> fault_address{};  ///< of an access that faulted
  bool write = false;                             ///< its direction
  int next = 0;                                   ///< first task that did not return
};

/// The worker processes of one kernel, one for each core, in a process group of their own.
class Crew {
 public:
  /// Forks the workers and waits until all have loaded the kernel; failed() tells if they did not.
  Crew(const Kernel&, const SharedMemory& arena, Control&, int cores, std::chrono::nanoseconds deadline);
  /// Kills the workers and all that they started.
  ~Crew() { end(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int cores() const { return static_cast<int>(workers_.size()); }
  /// How loading ended.
  const Ending& loaded() const { return loaded_; }
  /// Runs tasks [first, count) of the control block. After any status but `returned` the crew is dead.
  Ending run(int first, int count);

 private:
  template <class Progress>
  Ending watch(Progress progress, int goal, std::chrono::nanoseconds deadline);
  bool died(Ending&) const;
  void end();
  std::string waiting() const;

  Control& control_;
  std::chrono::nanoseconds deadline_;
  std::vector<pid_t> workers_;
  Ending loaded_;
};

}  // namespace wgradcheck::check
