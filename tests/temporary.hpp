#pragma once
#include <string>

#include "tests/check/scratch.hpp"

namespace wgradcheck {

/// A path in a folder that this process has for itself, and leaves nothing of: tests run side by side.
inline std::string temporary(const std::string& name) {
  static const check::Scratch folder;
  return folder.path() + "/" + name;
}

}  // namespace wgradcheck
