#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

namespace wgradcheck::tests {

/// A path in a folder of this process alone, which goes when the process ends: tests run side by side.
inline std::string temporary(const std::string& name) {
  struct Folder {
    std::string path = std::filesystem::temp_directory_path() / "wgradcheck-test-XXXXXX";
    Folder() { path = mkdtemp(path.data()); }
    ~Folder() { std::filesystem::remove_all(path); }
  };
  static const Folder folder;
  return folder.path + "/" + name;
}

}  // namespace wgradcheck::tests
