#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "check/run/process_group.hpp"
#include "check/run/worker.hpp"

namespace wgradcheck::check {

/// How a run of tasks ended, or that all returned. Status, code and detail as in Outcome.
struct Ending {
  Outcome::Status status = Outcome::Status::returned;
  int code = 0;
  std::string detail{};
  double limit = 0;                               ///< as in Outcome
  std::optional<std::uintptr_t> fault_address{};  ///< of an access that faulted
  bool write = false;                             ///< its direction
  bool raised = false;                            ///< as in Outcome
  int next = 0;                                   ///< first task that did not return
};

/// The worker processes of one kernel, one for each core.
class Crew {
 public:
  /// Starts the workers and waits until all have loaded the kernel; loaded() tells if they did. Throws
  /// std::system_error.
  Crew(const Kernel&, const SharedMemory& arena, Control&, int cores, std::chrono::nanoseconds deadline);

  int cores() const { return workers_.size(); }
  /// How loading ended.
  const Ending& loaded() const { return loaded_; }
  /// Runs tasks [first, count) of the control block. After any status but `returned` the crew is of no use.
  Ending run(int first, int count);

 private:
  template <class Progress>
  Ending watch(Progress progress, int goal, std::chrono::nanoseconds deadline);
  std::optional<Ending> death() const;
  std::string waiting() const;

  Control& control_;
  std::chrono::nanoseconds deadline_;
  ProcessGroup workers_;
  Ending loaded_;
};

}  // namespace wgradcheck::check
