#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "check/executor.hpp"
#include "check/judge/promises.hpp"
#include "check/program/kernel_options.hpp"
#include "check/search/against.hpp"

namespace wgradcheck::check {

/// The words of a command that name an old kernel to compare with.
struct OldKernelOptions {
  std::vector<std::string> what;

  void add_to(CLI::App& command);
  bool given() const { return !what.empty(); }
  /// Opens it as the new kernel was opened; sources are compiled in a folder of `scratch`. Throws BadInput:
  /// as open_kernel, or it is called otherwise than the new one.
  Kernel open(const Kernel& now, const KernelOptions&, const std::string& scratch) const;
  /// Adds the words to a command that makes the run again.
  void add_to(Invocation&) const;
};

/// An old kernel that runs beside a new one. The promises must outlive it.
struct OldKernel {
  OldKernel(const Kernel&, const Promises&, double timeout);

  std::unique_ptr<Executor> executor;
  Against against;
};

}  // namespace wgradcheck::check
