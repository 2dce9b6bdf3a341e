#pragma once
#include <string>
#include <vector>

namespace wgradcheck::check {

/// Whether the file begins as an ELF file does.
bool is_elf(const std::string& path);

/// Names of the functions that a shared object exports, read from its dynamic symbol table: nothing of it
/// runs. Throws BadInput: not a shared object, for another processor, cut short.
std::vector<std::string> exported_functions(const std::string& path);

}  // namespace wgradcheck::check
