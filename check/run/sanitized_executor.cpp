#include "check/run/sanitized_executor.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "check/run/answer.hpp"
#include "check/run/arena.hpp"
#include "check/run/build.hpp"
#include "check/run/host_call.hpp"
#include "check/run/process_group.hpp"
#include "check/run/sanitized_job.h"
#include "check/run/sanitizer_report.hpp"

namespace wgradcheck::check {
namespace {

using Status = Outcome::Status;
using Clock = std::chrono::steady_clock;

/// A file without a name, in memory.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("wgradcheck", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::bad_alloc();
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::string text() const {
    struct stat status {};
    fstat(descriptor_, &status);
    std::string all(static_cast<std::size_t>(status.st_size), '\0');
    const ssize_t n = pread(descriptor_, all.data(), all.size(), 0);
    all.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
    return all;
  }

 private:
  int descriptor_;
};

/// The bytes of the job itself, before the buffers.
constexpr std::int64_t kJobBytes = 64 << 10;
static_assert(sizeof(sanitized_job) <= kJobBytes);

/// Room for buffers, at first; a multiple of 8 bytes is what AddressSanitizer can tell apart at a buffer's
/// start.
constexpr std::int64_t kRoom = 64 << 20, kGranule = 8;

/// How often the runners are looked at, and how long they may take to load at least.
constexpr std::chrono::microseconds kLook{50};
constexpr std::chrono::seconds kLoading{20};

/// Bytes that a runner may write to its standard error, where reports come.
constexpr rlim_t kOutputLimit = 16 << 20;

std::uint32_t load(const std::uint32_t& word) { return __atomic_load_n(&word, __ATOMIC_SEQ_CST); }

/// Turns a forked child into the program that runs the kernel as the core of that rank.
[[noreturn]] void become_runner(const Kernel& kernel, int rank, int job, int output) {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  // Away from the numbers that they shall have.
  job = fcntl(job, F_DUPFD, 16);
  output = fcntl(output, F_DUPFD, 16);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  dup2(job, SANITIZED_JOB_FD);
  close_range(SANITIZED_JOB_FD + 1, ~0U, 0);
  const rlimit no_core{0, 0}, little_output{kOutputLimit, kOutputLimit};
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_FSIZE, &little_output);
  std::signal(SIGXFSZ, SIG_IGN);
  setenv("ASAN_OPTIONS",
         "abort_on_error=1:detect_leaks=0:allocator_may_return_null=1:max_malloc_fill_size=1073741824:malloc_"
         "fill_byte=254",
         1);
  setenv("UBSAN_OPTIONS", "abort_on_error=1", 1);
  const std::string program = runner_of(kernel.library), number = std::to_string(rank);
  const std::string form = kernel.abi->host     ? query_symbol(kernel)
                           : kernel.abi->shared ? "shared"
                                                : "private";
  execl(program.c_str(), program.c_str(), kernel.library.c_str(), kernel.symbol.c_str(), number.c_str(),
        form.c_str(), nullptr);
  _exit(127);
}

class SanitizedExecutor : public Executor {
 public:
  SanitizedExecutor(const Kernel& kernel, const LocalOptions& options)
      : kernel_(kernel),
        deadline_(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(4 * options.deadline))) {}

  Capabilities capabilities() const override { return {}; }

  void run(std::span<const Case> cases, const Prepare& prepare, const Done& done) override {
    // A case that hangs takes the whole time limit, and so would the rest.
    bool hung = false;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (hung) {
        done(i, {}, Outcome::unanswered("not run after one that hung"));
        continue;
      }
      Case c = cases[i];
      const Answer answer = kernel_.abi->host ? ask(c) : Answer{};
      if (kernel_.abi->host) c.workspace = answer.workspace;
      auto image = image_of(*kernel_.abi, c);
      const auto* const misfit = std::get_if<std::string>(&image);
      if (misfit || answer.instead) {
        const Outcome instead = misfit ? Outcome::instead(Status::not_run, *misfit) : *answer.instead;
        hung = instead.status == Status::hung;
        done(i, {}, instead);
        continue;
      }
      auto& call = std::get<CallImage>(image);
      const Layout layout = set_up(call, c);
      prepare(i, layout.tensors());
      Outcome outcome = carry_out(&layout, kernel_.abi->shared ? c.cores() : 1);
      if (kernel_.abi->host) complete(outcome, answer);
      outcome.kept = job().kept;
      hung = outcome.status == Status::hung;
      inspect(layout, call, outcome);
      done(i, layout.tensors(), outcome);
    }
  }

 private:
  Answer ask(const Case&);
  void complete(Outcome&, const Answer&) const;
  void hold(std::int64_t bytes);
  Layout set_up(CallImage&, const Case&);
  Outcome carry_out(const Layout*, int cores);
  Outcome start(int cores);
  Outcome wait_for(const std::uint32_t& word, const Layout*, Clock::duration) const;
  Outcome told(const Death&, const Layout*) const;

  sanitized_job& job() const { return *reinterpret_cast<sanitized_job*>(memory_->data()); }
  std::uint64_t in_runner(const std::byte* address) const {
    return SANITIZED_JOB_AT + static_cast<std::uint64_t>(address - memory_->data());
  }

  Kernel kernel_;
  Clock::duration deadline_;
  MemoryFile file_;
  std::optional<SharedMemory> memory_;  ///< the job, then the buffers
  std::deque<MemoryFile> outputs_;      ///< of the runners, by rank
  ProcessGroup runners_;
};

/// Asks a host kernel for the workspace of a case.
Answer SanitizedExecutor::ask(const Case& c) {
  hold(kJobBytes);
  const wgrad_problem problem = problem_of(c);
  static_assert(sizeof problem <= sizeof job().problem && WGRAD_TEXT == sizeof job().text);
  std::memcpy(job().problem, &problem, sizeof problem);
  std::memset(job().text, 0, sizeof job().text);
  job().left = 0;
  job().asks = 1;
  const Outcome told = carry_out(nullptr, 1);
  job().asks = 0;
  return answer_of(job().workspace, job().text,
                   {.status = told.status, .code = told.code, .detail = told.detail});
}

/// Adds what only a host kernel tells.
void SanitizedExecutor::complete(Outcome& outcome, const Answer& answer) const {
  outcome.workspace = answer.workspace;
  outcome.implementation = answer.implementation;
  if (outcome.status == Status::returned) outcome.code = job().returned;
}

/// Makes the memory at least so large.
void SanitizedExecutor::hold(std::int64_t bytes) {
  if (memory_ && memory_->size() >= bytes) return;
  runners_.end();
  memory_.emplace(std::max(bytes, kRoom), file_.descriptor());
}

Layout SanitizedExecutor::set_up(CallImage& call, const Case& c) {
  Case placed = c;
  placed.align = std::max(c.align, kGranule);
  const Sizes pages = pages_for(call.room, placed);
  const std::int64_t needed = kJobBytes + extent_of(pages);
  hold(needed);
  const Layout layout = lay_out(memory_->data() + kJobBytes, pages, call, placed);
  poison_around(layout);
  call.param.workspace = reinterpret_cast<void*>(in_runner(layout[BufferId::workspace].data));
  std::ranges::copy(call.parameter(), layout[BufferId::param].data);
  sanitized_job& j = job();
  j.entered = j.left = 0;
  j.kept = 0;
  j.core_mask = kernel_.abi->shared ? c.core_mask : 1;
  j.has_bias = c.bias != Bias::none;
  j.begin = in_runner(memory_->data() + kJobBytes);
  j.end = in_runner(memory_->data() + needed);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    j.start[i] = in_runner(layout.places[i].data);
    j.length[i] = static_cast<std::uint64_t>(call.room[i]);
  }
  std::memset(j.barriers, 0, sizeof j.barriers);
  return layout;
}

/// Has the runners do what the job says; no layout where no case is run.
Outcome SanitizedExecutor::carry_out(const Layout* layout, int cores) {
  if (runners_.size() < cores) {
    const Outcome started = start(cores);
    if (started.status != Status::returned) return started;
  }
  __atomic_add_fetch(&job().number, 1, __ATOMIC_SEQ_CST);
  const Outcome outcome = wait_for(job().left, layout, deadline_);
  if (outcome.status != Status::returned) runners_.end();
  return outcome;
}

Outcome SanitizedExecutor::start(int cores) {
  runners_.end();
  outputs_.clear();
  job().number = job().loaded = 0;
  for (int rank = 0; rank < cores; ++rank) {
    const int output = outputs_.emplace_back().descriptor();
    runners_.start([&] { become_runner(kernel_, rank, file_.descriptor(), output); });
  }
  Outcome outcome = wait_for(job().loaded, nullptr, std::max<Clock::duration>(deadline_, kLoading));
  if (outcome.status == Status::returned) return outcome;
  if (outcome.status == Status::exited) {
    outcome.status = Status::not_run;
    outcome.detail = "the sanitized kernel does not load: " + outputs_.front().text();
  }
  runners_.end();
  return outcome;
}

/// Waits until the word counts all runners, one of them dies or so much time has passed.
Outcome SanitizedExecutor::wait_for(const std::uint32_t& word, const Layout* layout,
                                    Clock::duration time) const {
  const auto end = Clock::now() + time;
  Outcome outcome;
  outcome.status = Status::returned;
  while (load(word) < static_cast<std::uint32_t>(runners_.size())) {
    if (const auto death = runners_.first_death()) return told(*death, layout);
    if (Clock::now() > end) {
      outcome.status = Status::hung;
      outcome.limit = std::chrono::duration<double>(time).count();
      outcome.detail = "under sanitizers";
      break;
    }
    std::this_thread::sleep_for(kLook);
  }
  return outcome;
}

/// A death told by the report that preceded it, if one did.
Outcome SanitizedExecutor::told(const Death& death, const Layout* layout) const {
  Outcome outcome;
  outcome.status = death.status;
  outcome.code = death.code;
  const auto report = find_report(outputs_[death.member].text());
  if (!report) return outcome;
  outcome.detail = report->finding;
  if (!report->address || layout == nullptr) return outcome;
  const auto* const address = memory_->data() + (*report->address - SANITIZED_JOB_AT);
  if (memory_->holds(address)) outcome.stray = locate(*layout, address, report->write);
  return outcome;
}

}  // namespace

std::unique_ptr<Executor> sanitized_executor(const Kernel& kernel, const LocalOptions& options) {
  return std::make_unique<SanitizedExecutor>(kernel, options);
}

}  // namespace wgradcheck::check
