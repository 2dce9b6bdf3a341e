#include "check/machine/core.hpp"

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "targets/include/conv_grad_filter.h"

namespace wgradcheck::check {
namespace {

/// Global because a signal handler reads it.
CoreReport* report = nullptr;
decltype(&conv_grad_filter_last_error) last_error = nullptr;
alignas(16) std::array<std::byte, 64 << 10> signal_stack;

[[noreturn]] void end(CoreReport::Kind kind, const char* sentence = "") {
  std::fflush(nullptr);
  std::strncpy(report->sentence.data(), sentence, report->sentence.size() - 1);
  report->kind = kind;
  _exit(0);
}

void on_fault(int, siginfo_t* info, void*) {
  report->address = reinterpret_cast<std::uint64_t>(info->si_addr);
  report->kind = CoreReport::Kind::fault;
  _exit(0);
}

/// The program is over, by a return or by exit(). What registered itself in the parent must not run here.
void on_end(int, void*) {
  const char* const refusal = last_error == nullptr ? nullptr : last_error();
  if (refusal == nullptr) end(CoreReport::Kind::ended);
  end(CoreReport::Kind::failed, (std::string("had its last call refused: ") + refusal).c_str());
}

void handle_faults() {
  stack_t stack{};
  stack.ss_sp = signal_stack.data();
  stack.ss_size = signal_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS}) sigaction(signal, &action, nullptr);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

void* open(const std::string& library, int flags) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | flags);
  if (handle == nullptr) end(CoreReport::Kind::failed, dlerror());
  return handle;
}

}  // namespace

void play_core(int core, const Memories& memories, MachineState& state, const std::string& program,
               const std::string& kernels) {
  report = &state.cores[static_cast<std::size_t>(core)];
  on_exit(on_end, nullptr);
  try {
    memories.map(core);
  } catch (const std::system_error& error) {
    end(CoreReport::Kind::unmapped, error.what());
  }
  lend({core, &state.barriers, &report->waits_in});
  handle_faults();
  void* const library = open(kernels, RTLD_GLOBAL);
  last_error = reinterpret_cast<decltype(last_error)>(dlsym(library, "conv_grad_filter_last_error"));
  // A kernel that the program defines itself comes before the library's.
  void* const loaded = open(program, RTLD_LOCAL | RTLD_DEEPBIND);
  const auto entry = reinterpret_cast<int (*)(int, char**)>(dlsym(loaded, "main"));
  if (entry == nullptr) end(CoreReport::Kind::failed, "finds no main in the program");
  std::string name = program;
  std::array<char*, 2> arguments{name.data(), nullptr};
  entry(1, arguments.data());
  std::exit(0);
}

}  // namespace wgradcheck::check
