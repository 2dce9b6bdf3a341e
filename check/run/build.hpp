#pragma once
#include <string>
#include <vector>

#include "check/kernel.hpp"

namespace wgradcheck::check {

/// Whether a file's name is that of a C or C++ source.
bool is_source(const std::string& path);

/// Compiles C and C++ sources into one shared object in a new folder under `scratch`; returns its path. A
/// source that compiles only with the documented header gets it by force. Throws BadInput with the
/// compiler's first error.
std::string build(const std::vector<std::string>& sources, const Compile&, const std::string& scratch);

/// The program that build() put beside a sanitized shared object, to run it.
std::string runner_of(const std::string& library);

}  // namespace wgradcheck::check
