#include "check/bundle.hpp"

namespace wgradcheck::check {

std::filesystem::path bundle_folder() {
  const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto installed = program.parent_path() / "lib" / "wgradcheck";
  return std::filesystem::is_directory(installed) ? installed : program;
}

}  // namespace wgradcheck::check
