#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "check/program/outputs.hpp"
#include "check/program/vector_options.hpp"

namespace wgradcheck::check {

/// The words that say what a program for a board may use.
struct BoardOptions {
  std::string c;  ///< where it is written; empty: none is
  std::string memory = "RAM=:4M";
  std::int64_t full = 1 << 16;

  void add_to(CLI::App& command);
};

/// Writes the first program; returns the exit status. Throws BadInput.
int export_program(const CLI::App& command, const VectorOptions&, const BoardOptions&);

/// Judges what programs and logs of them say, and writes the next program to `next`, where that is not empty
/// and further calls would say more; returns the exit status. Throws BadInput.
int verify_programs(const std::vector<std::string>& files, const std::string& next, const Outputs&);

}  // namespace wgradcheck::check
