#pragma once
#include <cstdlib>
#include <string>

#include "tests/program/program.hpp"

namespace wgradcheck {

/// A source of a runner that the tests bring.
inline std::string runner_source(const std::string& name) {
  return std::string(WGRADCHECK_SOURCE) + "/tests/program/runners/" + name;
}

/// The C runner, compiled once; empty where that fails.
inline std::string folder_kernel() {
  static const std::string path = temporary("folder_kernel");
  static const bool built =
      std::system(("cc -O1 -o " + path + " " + runner_source("folder_kernel.c")).c_str()) == 0;
  return built ? path : "";
}

/// Whether the distribution's Python has a module.
inline bool python_has(const std::string& module) {
  return std::system(("/usr/bin/python3 -c 'import " + module + "' 2>/dev/null").c_str()) == 0;
}

}  // namespace wgradcheck
