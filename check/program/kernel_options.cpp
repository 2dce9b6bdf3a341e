#include "check/program/kernel_options.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "check/run/build.hpp"
#include "check/run/sanitized_executor.hpp"

namespace wgradcheck::check {

void KernelOptions::add_to(CLI::App& command) {
  command.add_option("KERNEL", what, "A bundled target's name, a shared object, or C/C++ sources")
      ->required();
  command.add_option("--abi", abi, "Calling convention; by default the exported symbol decides");
  command.add_option("--symbol", symbol, "The entry point's name, where it is not the documented one");
  command.add_option("--cc", compiler, "Compiler of sources; cc or c++ by default");
  command.add_option("--cflags", flags, "Further flags of that compiler, in one word");
  command.add_option("--peer-lib", peer_library, "Another build of the library that a bundled peer calls");
  command.add_option("--promise", promises, "A promise to hold the kernel to, such as acc=f32; repeatable");
  command.add_option("--timeout", timeout, "Seconds that one case may take")
      ->check([](const std::string& text) {
        // A comparison that NaN fails, unlike that of CLI::Range.
        const double seconds = std::strtod(text.c_str(), nullptr);
        return seconds >= 0.01 && seconds <= 86400 ? "" : "must be from 0.01 to 86400 seconds";
      })
      ->capture_default_str();
}

Kernel KernelOptions::open(const std::string& scratch) const {
  Kernel kernel =
      open_kernel(what, abi, symbol, {.compiler = compiler, .flags = flags, .sanitize = false}, scratch);
  if (!peer_library.empty()) use_peer_library(kernel, peer_library);
  return kernel;
}

Promises KernelOptions::promises_of(const Kernel& kernel) const {
  Promises made = kernel.bundled ? Promises::bundled(*kernel.abi) : Promises();
  if (kernel.abi->host && !kernel.bundled) made.make("dw=overwrite");
  for (const std::string& promise : promises) made.make(promise);
  return made;
}

std::unique_ptr<Executor> KernelOptions::sanitized(const Kernel& kernel, const std::string& scratch) const {
  if (kernel.bundled || !is_source(what.front())) return nullptr;
  const Compile instrumented{.compiler = compiler, .flags = flags, .sanitize = true};
  return sanitized_executor(open_kernel(what, abi, symbol, instrumented, scratch), {.deadline = timeout});
}

Invocation KernelOptions::invocation() const {
  Invocation how;
  how.program = "./wgradcheck";
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
  s.promises = promises;
  s.timeout = timeout;
  return s;
}

}  // namespace wgradcheck::check
