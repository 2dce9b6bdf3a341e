#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "check/program/kernel_options.hpp"
#include "check/program/search_options.hpp"
#include "check/report/fields.hpp"

namespace wgradcheck::check {

/// The words that say which cases are exported, kept with them as they were given.
struct VectorOptions {
  KernelOptions kernel;
  SearchOptions search;

  void add_to(CLI::App& command);
  /// Reads what described() says of an export, beside which there may be `further` fields. Throws BadInput.
  static VectorOptions read(const Fields&, const std::vector<const char*>& further);
};

/// What an export says of how its cases came about: tool, format, version, shapes, seed, and the other words
/// of the command but for those `apart`. It names no file of this machine.
nlohmann::ordered_json described(const CLI::App& command, const std::vector<std::string>& apart, const Plan&);

/// All that a session of vectors needs.
struct Setting {
  Kernel kernel;
  Promises promises;
  Plan plan;

  /// `name` says of what kernel. Throws BadInput.
  Setting(const std::string& name, const VectorOptions&);
};

}  // namespace wgradcheck::check
