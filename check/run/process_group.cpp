#include "check/run/process_group.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

namespace wgradcheck::check {
namespace {

/// Numbers of the groups that there are; 0 is a free place. More than these need not be known.
std::array<std::atomic<pid_t>, 16> live{};

/// Replaces one number by another, where it is found.
void exchange(pid_t from, pid_t to) {
  for (auto& group : live) {
    pid_t expected = from;
    if (group.compare_exchange_strong(expected, to)) return;
  }
}

}  // namespace

void ProcessGroup::start(const std::function<void()>& life) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  // Parent and child both do it, so that it is done before either goes on.
  setpgid(pid, members_.empty() ? pid : members_.front());
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) life();
    _exit(0);
  }
  if (members_.empty()) exchange(0, pid);
  members_.push_back(pid);
}

std::optional<Death> ProcessGroup::first_death() const {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    // It is left a zombie, so that its group keeps its number until end().
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(members_[i]), &info, WEXITED | WNOHANG | WNOWAIT);
    if (info.si_pid != members_[i]) continue;
    const bool exited = info.si_code == CLD_EXITED;
    return Death{i, exited ? Outcome::Status::exited : Outcome::Status::crashed, info.si_status};
  }
  return std::nullopt;
}

void ProcessGroup::end() {
  if (members_.empty()) return;
  const pid_t group = members_.front();
  members_.clear();
  kill(-group, SIGKILL);
  // Known until here, so that kill_every misses none that still lives.
  exchange(group, 0);
  while (waitpid(-group, nullptr, 0) > 0 || errno == EINTR) {
  }
}

void ProcessGroup::kill_every() {
  for (const auto& group : live)
    if (const pid_t number = group; number > 0) kill(-number, SIGKILL);
}

}  // namespace wgradcheck::check
