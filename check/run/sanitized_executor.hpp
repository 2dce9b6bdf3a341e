#pragma once
#include <memory>

#include "check/run/local_executor.hpp"

namespace wgradcheck::check {

/// Runs a kernel that open_kernel built with sanitizers, in processes of their own, one a core. A report is
/// the status `crashed`: its kind and place are the detail, and its access the stray where it lies near a
/// buffer. Buffers start on multiples of 8 bytes, and a case may take four times the deadline. Throws as
/// local_executor.
std::unique_ptr<Executor> sanitized_executor(const Kernel&, const LocalOptions& = {});

}  // namespace wgradcheck::check
