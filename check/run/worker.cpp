#include "check/run/worker.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "check/run/entry.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::size_t kSignalStack = 64 << 10;
constexpr rlim_t kStackLimit = 64 << 20;
constexpr std::array kFaults{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

/// The worker's own state is global because signal handlers read it, and because a kernel that jumps into a
/// frame of an earlier call must not bring back that call's locals.
Control* control = nullptr;
int own_rank = 0;
pid_t own_pid = 0;
std::uintptr_t lowest_stack = 0;
Entry entry;
alignas(16) std::array<std::byte, kSignalStack> signal_stack;

/// What the processor says of a fault beyond its address.
struct Trap {
  bool page_fault = true, write = false;
  std::uintptr_t stack = 0;
};

Trap trap_of(const ucontext_t& context) {
#if defined(__x86_64__)
  const auto& registers = context.uc_mcontext.gregs;
  constexpr int kPageFault = 14, kWriteBit = 2;
  return {registers[REG_TRAPNO] == kPageFault, (registers[REG_ERR] & kWriteBit) != 0,
          static_cast<std::uintptr_t>(registers[REG_RSP])};
#elif defined(__aarch64__)
  return {true, false, context.uc_mcontext.sp};
#else
  static_cast<void>(context);
  return {};
#endif
}

/// Reports the first fault, if this is it, and ends the worker.
template <class Describe>
[[noreturn]] void fail(int signal, Describe describe) {
  Fault& fault = control->fault;
  if (fault.claimed.exchange(1) == 0) {
    describe(fault);
    fault.signal.store(static_cast<std::uint32_t>(signal));
    announce(control->news);
  }
  _exit(128 + signal);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  fail(signal, [=](Fault& fault) {
    const Trap trap = trap_of(*static_cast<ucontext_t*>(context));
    fault.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    fault.has_address = (signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0 && trap.page_fault;
    fault.write = trap.write;
    // Of a thread that the kernel started nothing is known here.
    fault.stack_overflow =
        fault.has_address && gettid() == own_pid && trap.stack != 0 && trap.stack < lowest_stack;
  });
}

/// exit() inside a kernel must not run what the parent registered to run at its own end.
void on_process_exit(int status, void*) { _exit(status); }

void limit_stack() {
  rlimit limit{};
  getrlimit(RLIMIT_STACK, &limit);
  limit.rlim_cur = std::min(limit.rlim_cur, kStackLimit);
  setrlimit(RLIMIT_STACK, &limit);
  constexpr std::uintptr_t kLastBytes = 1 << 20;
  lowest_stack = reinterpret_cast<std::uintptr_t>(&limit) - limit.rlim_cur + kLastBytes;
}

void handle_faults() {
  stack_t stack{};
  stack.ss_sp = signal_stack.data();
  stack.ss_size = signal_stack.size();
  sigaltstack(&stack, nullptr);
  for (int signal = 1; signal < SIGRTMIN; ++signal) std::signal(signal, SIG_DFL);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : kFaults) sigaction(signal, &action, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Cuts what the kernel could reach of the parent: its terminal, its files, its core dumps, its death.
void detach() {
  const int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) dup2(null, fd);
  close_range(3, ~0U, 0);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  on_exit(on_process_exit, nullptr);
}

void load(const Kernel& kernel) {
  const auto loaded = Entry::load(kernel);
  if (const auto* const error = std::get_if<std::string>(&loaded)) {
    std::strncpy(control->load_error.data(), error->c_str(), control->load_error.size() - 1);
    control->load_failed = 1;
    announce(control->news);
    _exit(0);
  }
  entry = std::get<Entry>(loaded);
  count_places_from(entry.base());
  control->ready.fetch_add(1);
  announce(control->news);
}

void protect(std::byte* pages, std::int64_t bytes, int protection) {
  if (mprotect(pages, static_cast<std::size_t>(bytes), protection) != 0) std::abort();
}

/// What a kernel may do with a buffer's pages: its inputs are there to be read.
int protection_of(std::size_t buffer) {
  const auto id = static_cast<BufferId>(buffer);
  const bool input = id == BufferId::dy || id == BufferId::x || id == BufferId::bias;
  return input ? PROT_READ : PROT_READ | PROT_WRITE;
}

/// Opens a task's pages. Those of a resident task stay open; of its workspace, which alone differs in pages
/// from one task of that index to the next, what is wanted no longer is closed.
void open_pages(const Task& task, int index) {
  static std::array<std::int64_t, kMaxTasks> opened{};
  const Place& workspace = task.layout[BufferId::workspace];
  std::int64_t& open = opened[static_cast<std::size_t>(index)];
  if (!task.resident || open == 0)
    for (std::size_t i = 0; i < task.layout.places.size(); ++i) {
      const Place& p = task.layout.places[i];
      protect(p.pages, p.page_bytes, protection_of(i));
    }
  if (!task.resident) return;
  if (open > 0 && open < workspace.page_bytes)
    protect(workspace.pages, workspace.page_bytes, PROT_READ | PROT_WRITE);
  if (open > workspace.page_bytes)
    protect(workspace.pages + workspace.page_bytes, open - workspace.page_bytes, PROT_NONE);
  open = workspace.page_bytes;
}

/// In one call, over the gaps as well, which are closed already.
void close_pages(const Task& task) {
  const Place &first = task.layout.places.front(), &last = task.layout.places.back();
  if (!task.resident) protect(first.pages, last.pages + last.page_bytes - first.pages, PROT_NONE);
}

/// What a host kernel says of a problem that is not its own to change.
void ask(Task& task) {
  const wgrad_problem problem = task.problem;
  task.workspace = entry.ask(problem, task.text);
}

void call(Task& task) { task.returned = entry.call(task.layout, task.has_bias, task.core_mask, own_rank); }

/// Whether numbers round to nearest and subnormals are kept.
bool has_usual_floats() {
  // A kernel may have left them trapping.
  std::fenv_t left;
  std::feholdexcept(&left);
  const volatile float subnormal = 0x1p-140F, one = 1;
  return std::fegetround() == FE_TONEAREST && subnormal * one != 0;
}

CoreState& own_state() { return control->cores[static_cast<std::size_t>(own_rank)]; }

Task& own_task() { return control->tasks[static_cast<std::size_t>(own_state().task.load())]; }

std::uint32_t cores_of(const Task& task) { return static_cast<std::uint32_t>(std::popcount(task.core_mask)); }

/// Cores enter a task together, and none before the tasks before it are over.
void enter() {
  const int index = own_state().task.load();
  for (int before = control->first; control->crew > 1 && before < index; ++before) {
    const Task& earlier = control->tasks[static_cast<std::size_t>(before)];
    await_at_least(earlier.left, cores_of(earlier));
  }
  Task& task = own_task();
  open_pages(task, index);
  lend({physical_id(task.core_mask, own_rank), &task.barriers, &own_state().waits_in});
  if (cores_of(task) > 1) {
    announce(task.entered);
    await_at_least(task.entered, cores_of(task));
  }
}

void leave() {
  // A child that the kernel forked comes here too; it is not the worker.
  if (getpid() != own_pid) _exit(0);
  Task& task = own_task();
  if (!control->asks) close_pages(task);
  task.left.fetch_add(1);
  if (control->crew > 1) futex_wake(task.left);
}

void run_batch() {
  auto& task = own_state().task;
  for (task = control->first; task < control->count; ++task) {
    if (static_cast<std::uint32_t>(own_rank) >= cores_of(own_task())) continue;
    if (!control->asks) enter();
    std::fesetenv(FE_DFL_ENV);
    try {
      control->asks ? ask(own_task()) : call(own_task());
      if (!has_usual_floats()) own_task().floats_altered = 1;
      if (add_places_to(control->reached)) own_task().reached_new = 1;
    } catch (const std::exception& thrown) {
      fail(SIGABRT, [&thrown](Fault& fault) {
        fault.exception = true;
        std::strncpy(fault.text.data(), thrown.what(), fault.text.size() - 1);
      });
    } catch (...) {
      fail(SIGABRT, [](Fault& fault) { fault.exception = true; });
    }
    leave();
  }
  control->finished.fetch_add(1);
  announce(control->news);
}

}  // namespace

void work(Control& shared, const SharedMemory& arena, const Kernel& kernel, int rank) {
  control = &shared;
  own_rank = rank;
  own_pid = getpid();
  detach();
  limit_stack();
  handle_faults();
  protect(arena.data(), arena.size(), PROT_NONE);
  // What is allocated holds large numbers rather than the zeros of fresh pages.
  mallopt(M_PERTURB, 0x01);
  load(kernel);
  for (std::uint32_t seen = 0;;) {
    futex_wait(control->batch, seen);
    if (control->batch.load() == seen) continue;
    ++seen;
    run_batch();
  }
}

}  // namespace wgradcheck::check
