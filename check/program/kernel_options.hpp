#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/executor.hpp"
#include "check/judge/promises.hpp"
#include "check/kernel.hpp"
#include "check/remote/runner.hpp"
#include "check/report/files.hpp"
#include "check/report/replay.hpp"
#include "check/report/saved.hpp"

namespace wgradcheck::check {

/// The words of a command that name a kernel and say how it is built, called and held to.
struct KernelOptions {
  std::vector<std::string> what, promises;
  std::string abi, symbol, compiler, flags, peer_library;
  std::string runner, runner_file;  ///< of a kernel elsewhere, instead of `what`
  std::optional<std::int64_t> launches{};
  std::string promise_file{};  ///< of --promises
  double timeout = 10;
  bool coverage = false;  ///< whether sources are compiled so that they tell what code they reach

  /// Those that name a kernel and say how it is built and called.
  void add_kernel_to(CLI::App& command);
  /// The same and what it is held to.
  void add_to(CLI::App& command);
  /// Of these --abi alone, and those that promise.
  void add_abi_to(CLI::App& command);
  void add_promises_to(CLI::App& command);
  /// What the scratch folder of the following is for.
  ScratchFolder::For scratch() const;
  Kernel open(const std::string& scratch) const;
  /// Those of a bundled target, or of a foreign kernel, then those of --promises, then each --promise; a
  /// later one of the same key replaces an earlier one. Throws BadInput.
  Promises promises_of(const Kernel&) const;
  /// Runs the kernel, here or through its runner. Throws BadInput.
  std::unique_ptr<Executor> executor(const Kernel&, const std::string& scratch) const;
  /// Cases that a search generates where nothing is said.
  std::int64_t usual_cases() const;
  static std::string usual_cases_in_words();
  /// Runs the sources' sanitized build; null for anything but sources.
  std::unique_ptr<Executor> sanitized(const Kernel&, const std::string& scratch) const;
  Invocation invocation() const;
  /// The part of a saved counterexample that names the kernel.
  Saved saved(const Kernel&) const;

 private:
  Runner runner_of(const Kernel&) const;
};

}  // namespace wgradcheck::check
