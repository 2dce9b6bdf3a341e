#include "check/program/kernel_options.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "check/bundled.hpp"
#include "check/profile/promises_file.hpp"
#include "check/program/commands.hpp"
#include "check/run/build.hpp"
#include "check/run/local_executor.hpp"
#include "check/run/sanitized_executor.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kUsual = 10000, kDear = 300;  ///< cases that a search generates

}  // namespace

void KernelOptions::add_abi_to(CLI::App& command) {
  command.add_option(
      "--abi", abi,
      "Calling convention; by default the exported symbol decides, or host_f32 of a kernel elsewhere");
}

void KernelOptions::add_promises_to(CLI::App& command) {
  command.add_option("--promise", promises, "A promise to hold the kernel to, such as acc=f32; repeatable");
  command.add_option("--promises", promise_file,
                     "A file of promises, one a line, as `profile` writes it; --promise replaces");
}

void KernelOptions::add_kernel_to(CLI::App& command) {
  command.add_option("KERNEL", what, "A bundled target's name, a shared object, or C/C++ sources");
  command.add_option(
      "--runner", runner,
      "Instead, a command that runs the kernel on a case folder, as 'python3 k.py {case}'; with "
      "{cases} on several, without either it stays and reads folders from its standard input");
  command.add_option("--runner-file", runner_file, "JSON that declares what the runner can do")
      ->check(has_a_name);
  command.add_option("--launches", launches, "Launches of the runner at most, searching and shrinking alike")
      ->check(is_positive);
  add_abi_to(command);
  command.add_option("--symbol", symbol, "The entry point's name, where it is not the documented one");
  command.add_option("--cc", compiler, "Compiler of sources; cc or c++ by default");
  command.add_option("--cflags", flags, "Further flags of that compiler, in one word");
  command.add_option("--peer-lib", peer_library, "Another build of the library that a bundled peer calls");
  command.add_option("--timeout", timeout, "Seconds that one case may take")
      ->check([](const std::string& text) {
        // A comparison that NaN fails, unlike that of CLI::Range.
        const double seconds = std::strtod(text.c_str(), nullptr);
        return seconds >= 0.01 && seconds <= 86400 ? "" : "must be from 0.01 to 86400 seconds";
      })
      ->capture_default_str();
}

void KernelOptions::add_to(CLI::App& command) {
  add_kernel_to(command);
  add_promises_to(command);
}

ScratchFolder::For KernelOptions::scratch() const {
  return runner.empty() ? ScratchFolder::For::files : ScratchFolder::For::many_files;
}

Kernel KernelOptions::open(const std::string& scratch) const {
  const auto refuse = [this](const char* option, bool given) {
    if (given)
      throw BadInput{
          fmt::format("{} means nothing {}", option, runner.empty() ? "without --runner" : "to a runner")};
  };
  if (!runner.empty()) {
    if (!what.empty())
      throw BadInput{fmt::format("{} and --runner are both given; one kernel is checked", what.front())};
    refuse("--symbol", !symbol.empty());
    refuse("--cc", !compiler.empty());
    refuse("--cflags", !flags.empty());
    refuse("--peer-lib", !peer_library.empty());
    return kernel_elsewhere(runner, abi);
  }
  refuse("--runner-file", !runner_file.empty());
  refuse("--launches", launches.has_value());
  Kernel kernel =
      open_kernel(what, abi, symbol, {.compiler = compiler, .flags = flags, .coverage = coverage}, scratch);
  if (!peer_library.empty()) use_peer_library(kernel, peer_library);
  return kernel;
}

Promises KernelOptions::promises_of(const Kernel& kernel) const {
  Promises made = kernel.bundled ? Promises::bundled(*kernel.abi) : Promises();
  if (has_query(*kernel.abi) && !kernel.bundled) made.make("dw=overwrite");
  if (!promise_file.empty())
    for (const std::string& promise : read_promises(promise_file)) made.make(promise);
  for (const std::string& promise : promises) made.make(promise);
  return made;
}

Runner KernelOptions::runner_of(const Kernel& kernel) const {
  Runner r{.command = runner, .abi = kernel.abi, .can = {}, .deadline = timeout};
  if (!runner_file.empty()) r.can = read_runner_file(runner_file);
  if (launches) r.can.launches = launches;
  return r;
}

std::unique_ptr<Executor> KernelOptions::executor(const Kernel& kernel, const std::string& scratch) const {
  return kernel.elsewhere ? runner_executor(runner_of(kernel), scratch)
                          : local_executor(kernel, {.deadline = timeout});
}

std::int64_t KernelOptions::usual_cases() const {
  return runner.empty() || Runner{.command = runner}.stays() ? kUsual : kDear;
}

std::string KernelOptions::usual_cases_in_words() {
  return fmt::format("{}, or {} where each is a launch", kUsual, kDear);
}

std::unique_ptr<Executor> KernelOptions::sanitized(const Kernel& kernel, const std::string& scratch) const {
  if (kernel.bundled || kernel.elsewhere || kernel.abi->ascend || !is_source(what.front())) return nullptr;
  const Compile instrumented{.compiler = compiler, .flags = flags, .sanitize = true};
  return sanitized_executor(open_kernel(what, abi, symbol, instrumented, scratch), {.deadline = timeout});
}

Invocation KernelOptions::invocation() const {
  Invocation how;
  how.program = program_name();
  how.kernel = what;
  const auto add = [&how](const char* option, const std::string& value) {
    if (value.empty()) return;
    how.options.emplace_back(option);
    how.options.push_back(value);
  };
  add("--abi", abi);
  add("--symbol", symbol);
  add("--cc", compiler);
  add("--cflags", flags);
  add("--peer-lib", peer_library);
  add("--runner", runner);
  add("--runner-file", runner_file);
  add("--promises", promise_file);
  for (const std::string& promise : promises) add("--promise", promise);
  if (timeout != KernelOptions().timeout) add("--timeout", fmt::format("{}", timeout));
  return how;
}

Saved KernelOptions::saved(const Kernel& kernel) const {
  Saved s;
  for (const std::string& name : what)
    s.kernel.push_back(kernel.bundled ? name : std::filesystem::absolute(name).string());
  s.abi = abi;
  s.symbol = symbol;
  s.compiler = compiler;
  s.flags = flags;
  s.peer_library = peer_library.empty() ? "" : std::filesystem::absolute(peer_library).string();
  s.runner = runner;
  s.runner_file = runner_file.empty() ? "" : std::filesystem::absolute(runner_file).string();
  if (!runner.empty()) s.folder = std::filesystem::current_path().string();
  if (!promise_file.empty()) s.promises = read_promises(promise_file);
  s.promises.insert(s.promises.end(), promises.begin(), promises.end());
  s.timeout = timeout;
  return s;
}

}  // namespace wgradcheck::check
