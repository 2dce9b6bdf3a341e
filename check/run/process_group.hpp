#pragma once
#include <sys/types.h>

#include <functional>
#include <optional>
#include <vector>

#include "check/executor.hpp"

namespace wgradcheck::check {

/// How a member ended: `exited` with a status or `crashed` with a signal.
struct Death {
  std::size_t member = 0;
  Outcome::Status status = Outcome::Status::exited;
  int code = 0;
};

/// Child processes in a process group of their own, which ends with its owner: all of them and what they
/// started. This process becomes a child subreaper, so that orphans come back to it to be reaped.
class ProcessGroup {
 public:
  ProcessGroup() = default;
  ~ProcessGroup() { end(); }
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  int size() const { return static_cast<int>(members_.size()); }
  /// Forks a member that runs `life`, which does not return. Throws std::system_error.
  void start(const std::function<void()>& life);
  /// The first member that has ended, or nothing.
  std::optional<Death> first_death() const;
  /// Kills and reaps all.
  void end();
  /// Kills the groups that this process has, from a signal's handler too.
  static void kill_every();

 private:
  std::vector<pid_t> members_;
};

}  // namespace wgradcheck::check
