#pragma once
#include <string>
#include <vector>

#include "check/case.hpp"

namespace wgradcheck::check {

/// A problem as another tester takes it.
struct ToolLine {
  const char* tool;
  std::string line;     ///< the command; empty where there is none
  std::string why_not;  ///< why the tool cannot run it; empty where there is a command
};

/// The problem for benchdnn, MIOpenDriver and CUTLASS's profiler, in this order. Each takes shape, element
/// type and NHWC alone: data, chunks, cores and the old dW are its own.
std::vector<ToolLine> other_tools(const spec::Shape&, DType);

}  // namespace wgradcheck::check
