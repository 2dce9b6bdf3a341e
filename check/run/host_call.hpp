#pragma once
#include <string>

#include "check/case.hpp"
#include "targets/include/wgrad_kernel.h"

namespace wgradcheck::check {

/// The workspace's alignment that wgrad_kernel.h promises to kernels, bytes.
inline constexpr std::int64_t kWorkspaceAlignment = 64;

/// The case as a host kernel is told it.
wgrad_problem problem_of(const Case&);

/// Name of the first field that differs, such as `height.stride`, or empty.
std::string changed_field(const wgrad_problem& before, const wgrad_problem& after);

}  // namespace wgradcheck::check
