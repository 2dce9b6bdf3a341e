#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "check/executor.hpp"
#include "check/judge/promises.hpp"
#include "check/kernel.hpp"
#include "check/report/replay.hpp"
#include "check/report/saved.hpp"

namespace wgradcheck::check {

/// The words of a command that name a kernel and say how it is built, called and held to.
struct KernelOptions {
  std::vector<std::string> what, promises;
  std::string abi, symbol, compiler, flags, peer_library;
  std::string promise_file{};  ///< of --promises
  double timeout = 10;

  /// Those that name a kernel and say how it is built and called.
  void add_kernel_to(CLI::App& command);
  /// The same and what it is held to.
  void add_to(CLI::App& command);
  Kernel open(const std::string& scratch) const;
  /// Those of a bundled target, or of a foreign kernel, then those of --promises, then each --promise; a
  /// later one of the same key replaces an earlier one. Throws BadInput.
  Promises promises_of(const Kernel&) const;
  /// Runs the sources' sanitized build; null for anything but sources.
  std::unique_ptr<Executor> sanitized(const Kernel&, const std::string& scratch) const;
  Invocation invocation() const;
  /// The part of a saved counterexample that names the kernel.
  Saved saved(const Kernel&) const;
};

}  // namespace wgradcheck::check
