#pragma once
#include <memory>

#include "check/executor.hpp"
#include "check/kernel.hpp"

namespace wgradcheck::check {

struct LocalOptions {
  double deadline = 10;  ///< seconds that one case may take
};

/// Runs a kernel in worker processes on this machine, one a core, each buffer between inaccessible pages. A
/// library that does not load or whose constructors fail gives that outcome to every case. The calling
/// process becomes a child subreaper. Throws std::bad_alloc and std::system_error when the system refuses
/// memory or processes.
std::unique_ptr<Executor> local_executor(const Kernel&, const LocalOptions& = {});

}  // namespace wgradcheck::check
