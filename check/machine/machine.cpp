#include "check/machine/machine.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <system_error>
#include <thread>

#include "check/machine/core.hpp"
#include "check/run/arena.hpp"

namespace wgradcheck::check {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{1};

/// The processes of a run; those that are left die with it.
class Processes {
 public:
  ~Processes() {
    for (const pid_t pid : alive_)
      if (pid != 0) {
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
      }
  }
  template <class Play>
  void start(Play play) {
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(0);
      play();
    }
    alive_.push_back(pid);
  }
  /// Calls ended(core, wait status) for each core whose process has ended since the last call; tells whether
  /// any is left.
  template <class Ended>
  bool poll(Ended ended) {
    bool any = false;
    for (std::size_t core = 0; core < alive_.size(); ++core) {
      int status = 0;
      if (alive_[core] != 0 && waitpid(alive_[core], &status, WNOHANG) == alive_[core]) {
        alive_[core] = 0;
        ended(core, status);
      }
      any = any || alive_[core] != 0;
    }
    return any;
  }

 private:
  std::vector<pid_t> alive_;
};

/// What went wrong on a core whose process has ended, or nothing.
std::optional<std::string> fault_of(const CoreReport& report, int status) {
  switch (report.kind.load()) {
    case CoreReport::Kind::ended:
      return {};
    case CoreReport::Kind::fault:
      return "accessed an address outside the machine's memories: " + nearest(report.address);
    case CoreReport::Kind::failed:
      return report.sentence.data();
    case CoreReport::Kind::unmapped:
      throw std::system_error(EEXIST, std::generic_category(), report.sentence.data());
    case CoreReport::Kind::running:
      break;
  }
  if (!WIFSIGNALED(status)) return fmt::format("ended its process with status {}", WEXITSTATUS(status));
  const char* const name = sigabbrev_np(WTERMSIG(status));
  return fmt::format("died of SIG{}", name == nullptr ? std::to_string(WTERMSIG(status)) : name);
}

}  // namespace

std::optional<std::string> Machine::run(const std::string& program, const std::string& kernels,
                                        std::chrono::nanoseconds limit) {
  const SharedMemory shared(sizeof(MachineState));
  auto& state = *new (shared.data()) MachineState;
  Processes processes;
  for (int core = 0; core < cores_; ++core)
    processes.start([&, core] { play_core(core, memories_, state, program, kernels); });
  std::optional<std::string> wrong;
  const auto ended = [&](std::size_t core, int status) {
    if (wrong) return;
    if (const auto fault = fault_of(state.cores[core], status))
      wrong = fmt::format("core {} {}", core, *fault);
  };
  const auto start = Clock::now();
  while (processes.poll(ended) && !wrong) {
    if (Clock::now() - start > limit) {
      wrong =
          fmt::format("the program has not ended after {:g} s", std::chrono::duration<double>(limit).count());
      for (int core = 0; core < cores_; ++core)
        if (const int barrier = state.cores[static_cast<std::size_t>(core)].waits_in; barrier >= 0)
          *wrong += fmt::format("; core {} waits in sys_bar({})", core, barrier);
      break;
    }
    std::this_thread::sleep_for(kLook);
  }
  return wrong;
}

}  // namespace wgradcheck::check
