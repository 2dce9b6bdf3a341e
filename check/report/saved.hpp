#pragma once
#include <string>
#include <vector>

#include "check/report/verdict.hpp"

namespace wgradcheck::check {

/// A counterexample as a file holds it: everything that its verdict depends on.
struct Saved {
  std::vector<std::string> kernel;  ///< absolute paths, or a bundled target's name
  std::string abi, symbol, compiler, flags, peer_library;
  std::string runner, runner_file;    ///< of a kernel elsewhere, instead of its name
  std::string folder;                 ///< in which the runner is started
  std::vector<std::string> promises;  ///< K=V
  double timeout = 10;                ///< seconds a case may take
  Trial trial;
  Property property = Property::formula;
};

/// The file's text, JSON.
std::string to_text(const Saved&);

/// Reads the text of such a file. Throws BadInput that names the file, the field and what is wrong with it.
Saved to_saved(const std::string& name, const std::string& text);

/// Reads a saved counterexample. Throws BadInput, also where there is none.
Saved load_saved(const std::string& path);

}  // namespace wgradcheck::check
