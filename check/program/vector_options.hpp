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
  /// Reads the fields `options`, `shapes` and `seed` of what was exported. Throws BadInput.
  static VectorOptions read(const Fields&);
};

/// The options' words but for those that are kept in another form: of shapes, seed and what follows.
std::vector<std::string> words_of(const CLI::App& command, const std::vector<std::string>& apart);

/// All that a session of vectors needs.
struct Setting {
  Kernel kernel;
  Promises promises;
  Plan plan;

  /// `name` says of what kernel. Throws BadInput.
  Setting(const std::string& name, const VectorOptions&);
};

}  // namespace wgradcheck::check
