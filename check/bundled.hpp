#pragma once
#include <string>

namespace wgradcheck::check {

/// The object libwgradcheck_<name>.so beside the program, where it is built, or in the library folder, where
/// it is installed; the first of the places when it is in neither.
std::string bundled_library(const std::string& name);

/// What a shell calls this program: as it was called where it is installed, else the launcher's name at the
/// root of the tree.
std::string program_name();

}  // namespace wgradcheck::check
