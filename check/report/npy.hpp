#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace wgradcheck::check {

/// An array as NumPy's files hold it: the element type in its words ("<f4"), the extents, and the elements in
/// C order, the last index fastest.
struct Npy {
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::string bytes;
};

/// Reads a file of format version 1, 2 or 3. Throws BadInput: no such file, not an array of little-endian
/// numbers in C order, or not as many bytes as the shape says.
Npy read_npy(const std::string& path);

/// Writes format version 1. Throws BadInput.
void write_npy(const std::string& path, const Npy&);

}  // namespace wgradcheck::check
