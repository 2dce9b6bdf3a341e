#pragma once
#include <string>
#include <utility>
#include <vector>

#include "check/case.hpp"
#include "targets/include/wgrad_kernel.h"

namespace wgradcheck::check {

/// The workspace's alignment that wgrad_kernel.h promises to kernels, bytes.
inline constexpr std::int64_t kWorkspaceAlignment = 64;

/// The case as a host kernel is told it.
wgrad_problem problem_of(const Case&);

/// The fields of a problem by name, such as `height.stride`, in the struct's order.
std::vector<std::pair<const char*, std::int64_t>> fields_of(const wgrad_problem&);

/// Name of the first field that differs, such as `height.stride`, or empty.
std::string changed_field(const wgrad_problem& before, const wgrad_problem& after);

}  // namespace wgradcheck::check
