#pragma once
#include <filesystem>

namespace wgradcheck::check {

/// Folder of the bundled targets' shared objects; its `include` holds the documented headers. It is
/// ../lib/wgradcheck of an installed program and the program's own folder in a build.
std::filesystem::path bundle_folder();

}  // namespace wgradcheck::check
