#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

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
  static const std::string built = [] {
    const std::string program = testing::TempDir() + "wgradcheck_folder_kernel" + std::to_string(getpid());
    const std::string command = "cc -O1 -o " + program + " " + runner_source("folder_kernel.c");
    return std::system(command.c_str()) == 0 ? program : "";
  }();
  return built;
}

/// Whether the distribution's Python has a module.
inline bool python_has(const std::string& module) {
  return std::system(("/usr/bin/python3 -c 'import " + module + "' 2>/dev/null").c_str()) == 0;
}

}  // namespace wgradcheck
