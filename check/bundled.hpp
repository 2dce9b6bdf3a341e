#pragma once
#include <string>

namespace wgradcheck::check {

/// The object libwgradcheck_<name>.so beside the program, where it is built, or in the library folder, where
/// it is installed; the first of the places when it is in neither.
std::string bundled_library(const std::string& name);

}  // namespace wgradcheck::check
