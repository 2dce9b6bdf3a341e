#include "check/run/crew.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <csignal>
#include <span>

#include "check/run/answer.hpp"

namespace wgradcheck::check {
namespace {

using Status = Outcome::Status;
using Clock = std::chrono::steady_clock;

/// A death that no handler saw is noticed within this time.
constexpr std::chrono::milliseconds kLook{2};

/// Loading may take longer than a case: at least this.
constexpr std::chrono::seconds kLoading{20};

/// The event, and what was said of it if anything.
std::string told(const std::string& event, std::span<const char> text) {
  const std::string said = said_in(text);
  return said.empty() ? event : event + ": " + said;
}

std::string describe(const Fault& fault) {
  if (fault.exception) return told("it threw a C++ exception", fault.text);
  if (fault.stack_overflow) return "the stack overflowed";
  if (fault.signal == SIGSEGV && !fault.has_address) return "a misaligned vector access or a wild address";
  return {};
}

}  // namespace

Crew::Crew(const Kernel& kernel, const SharedMemory& arena, Control& control, int cores,
           std::chrono::nanoseconds deadline)
    : control_(control), deadline_(deadline) {
  control.batch = control.ready = control.load_failed = 0;
  control.fault.claimed = control.fault.signal = 0;
  control.fault.text.fill('\0');
  control.fault.exception = control.fault.has_address = control.fault.stack_overflow = false;
  for (CoreState& core : control.cores) core.waits_in = -1;
  control.crew = cores;
  for (int rank = 0; rank < cores; ++rank) workers_.start([&] { work(control, arena, kernel, rank); });
  loaded_ = watch([this] { return static_cast<int>(control_.ready.load()); }, cores,
                  std::max<std::chrono::nanoseconds>(deadline, kLoading));
  loaded_.raised = loaded_.status == Status::crashed;
  if (loaded_.status != Status::returned && loaded_.detail.empty())
    loaded_.detail = std::string(loaded_.raised ? "crashed " : "") + "while its library was loaded";
}

Ending Crew::run(int first, int count) {
  control_.first = first;
  control_.count = count;
  control_.finished = 0;
  announce(control_.batch);
  int next = first;
  const auto progress = [&, this] {
    for (; next < count; ++next) {
      const Task& task = control_.tasks[static_cast<std::size_t>(next)];
      if (static_cast<int>(task.left.load()) < std::popcount(task.core_mask)) break;
    }
    return next + static_cast<int>(control_.finished.load());
  };
  Ending ending = watch(progress, count + cores(), deadline_);
  ending.next = next;
  return ending;
}

/// Waits until progress() reaches the goal, a worker dies or progress() stands still for the deadline.
template <class Progress>
Ending Crew::watch(Progress progress, int goal, std::chrono::nanoseconds deadline) {
  auto last = Clock::now();
  for (int reached = progress();;) {
    const std::uint32_t seen = control_.news.load();
    const int now = progress();
    if (now >= goal) return {};
    if (const auto ending = death()) return *ending;
    if (now != reached) last = Clock::now();
    reached = now;
    if (Clock::now() - last > deadline)
      return {.status = Status::hung,
              .detail = waiting(),
              .limit = std::chrono::duration<double>(deadline).count()};
    futex_wait(control_.news, seen, kLook);
  }
}

/// How a worker died, as its handler saw it or else as the system did.
std::optional<Ending> Crew::death() const {
  // Asked first: whoever has ended by now has said all that it will say.
  const auto death = workers_.first_death();
  const Fault& fault = control_.fault;
  if (control_.load_failed != 0)
    return Ending{.status = Status::not_run, .detail = control_.load_error.data()};
  if (const int signal = static_cast<int>(fault.signal.load()); signal != 0) {
    Ending ending{.status = Status::crashed, .code = signal, .detail = describe(fault)};
    if (fault.has_address) ending.fault_address = fault.address;
    ending.write = fault.write;
    ending.raised = signal == SIGABRT;
    return ending;
  }
  if (death) return Ending{.status = death->status, .code = death->code};
  return std::nullopt;
}

/// Which cores wait in which barrier, for a hang.
std::string Crew::waiting() const {
  std::string text;
  for (std::size_t rank = 0; rank < control_.cores.size(); ++rank) {
    const int barrier = control_.cores[rank].waits_in.load();
    if (barrier < 0) continue;
    text += fmt::format("{}logical core {} waits in sys_bar({})", text.empty() ? "" : ", ", rank, barrier);
  }
  return text;
}

}  // namespace wgradcheck::check
