#include "check/crew.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <cstring>
#include <new>
#include <system_error>

namespace wgradcheck::check {
namespace {

using Status = Outcome::Status;
using Clock = std::chrono::steady_clock;

/// A death that no handler saw is noticed within this time.
constexpr std::chrono::milliseconds kLook{2};

/// Loading may take longer than a case: at least this.
constexpr std::chrono::seconds kLoading{20};

/// Whether a child has ended, and how; it stays a zombie, so that its process group keeps its number.
bool ended(pid_t pid, siginfo_t& info) {
  info.si_pid = 0;
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

std::string signal_name(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

std::string describe(int signal, const Fault& fault) {
  if (fault.exception) return "threw a C++ exception";
  const std::string text = signal_name(signal);
  if (fault.stack_overflow) return text + ", the stack overflowed";
  if (!fault.has_address && signal == SIGSEGV) return text + ", a misaligned vector access or a wild address";
  return text;
}

}  // namespace

Crew::Crew(const Kernel& kernel, const SharedMemory& arena, Control& control, int cores,
           std::chrono::nanoseconds deadline)
    : control_(control), deadline_(deadline) {
  // Orphans that a kernel leaves come to this process, to be reaped.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  control.batch = control.ready = 0;
  control.fault.claimed = control.fault.signal = 0;
  control.fault.exception = false;
  control.load_failed = 0;
  control.crew = cores;
  const pid_t parent = getpid();
  for (int rank = 0; rank < cores; ++rank) {
    const pid_t pid = fork();
    if (pid < 0) {
      const int error = errno;
      end();
      throw std::system_error(error, std::generic_category(), "fork");
    }
    const pid_t group = workers_.empty() ? pid : workers_.front();
    setpgid(pid, group);
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(0);
      work(control, arena, kernel, rank);
    }
    workers_.push_back(pid);
  }
  loaded_ = watch([this] { return static_cast<int>(control_.ready.load()); }, cores,
                  std::max<std::chrono::nanoseconds>(deadline, kLoading));
}

void Crew::end() {
  if (workers_.empty()) return;
  const pid_t group = workers_.front();
  kill(-group, SIGKILL);
  while (waitpid(-group, nullptr, 0) > 0 || errno == EINTR) {
  }
}

Ending Crew::run(int first, int count) {
  control_.first = first;
  control_.count = count;
  announce(control_.batch);
  int next = first;
  const auto progress = [&, this] {
    for (; next < count; ++next) {
      const Task& task = control_.tasks[static_cast<std::size_t>(next)];
      if (static_cast<int>(task.left.load()) < std::popcount(task.core_mask)) break;
    }
    return next;
  };
  Ending ending = watch(progress, count, deadline_);
  ending.next = next;
  return ending;
}

template <class Progress>
Ending Crew::watch(Progress progress, int goal, std::chrono::nanoseconds deadline) {
  auto last = Clock::now();
  for (int reached = progress();;) {
    const std::uint32_t seen = control_.news.load();
    const int now = progress();
    Ending ending;
    if (now >= goal || died(ending)) return ending;
    if (now != reached) {
      reached = now;
      last = Clock::now();
    }
    if (Clock::now() - last > deadline) return {.status = Status::hung, .detail = waiting()};
    futex_wait(control_.news, seen, kLook);
  }
}

/// Whether a worker has died, told as its handler saw it or else as the system did.
bool Crew::died(Ending& ending) const {
  const auto said = [&, this] {
    const Fault& fault = control_.fault;
    const int signal = static_cast<int>(fault.signal.load());
    if (control_.load_failed != 0) ending = {.status = Status::not_run, .detail = control_.load_error.data()};
    if (signal != 0) {
      ending = {
          .status = Status::crashed, .code = signal, .detail = describe(signal, fault), .write = fault.write};
      if (fault.has_address) ending.fault_address = fault.address;
    }
    return ending.status != Status::returned;
  };
  if (said()) return true;
  for (const pid_t worker : workers_) {
    siginfo_t info{};
    if (!ended(worker, info)) continue;
    if (said()) return true;
    if (info.si_code == CLD_EXITED)
      ending = {.status = Status::exited,
                .code = info.si_status,
                .detail = fmt::format("the process ended with status {}", info.si_status)};
    else
      ending = {.status = Status::crashed, .code = info.si_status, .detail = signal_name(info.si_status)};
    return true;
  }
  return false;
}

/// Which cores wait in which barrier, for a hang.
std::string Crew::waiting() const {
  std::string text;
  for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
    const int barrier = control_.cores[rank].waits_in.load();
    if (barrier < 0) continue;
    text += fmt::format("{}logical core {} waits in sys_bar({})", text.empty() ? "" : ", ", rank, barrier);
  }
  return text;
}

}  // namespace wgradcheck::check
