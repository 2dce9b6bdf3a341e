#pragma once
#include <filesystem>
#include <fstream>
#include <string>

namespace wgradcheck::check {

/// A folder that goes with its owner.
class Scratch {
 public:
  Scratch() {
    std::string name = std::filesystem::temp_directory_path() / "wgradcheck-test-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + "/" + name) << text;
    return path_ + "/" + name;
  }

 private:
  std::string path_;
};

}  // namespace wgradcheck::check
