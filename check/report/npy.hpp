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

/// Reads the bytes of a file of format version 1, 2 or 3. Throws BadInput, by the file's name: not an array
/// of little-endian numbers in C order, or not as many bytes as the shape says.
Npy to_npy(const std::string& name, const std::string& file);

/// Reads a file. Throws BadInput, also where there is none.
Npy read_npy(const std::string& path);

/// The bytes of a file of format version 1.
std::string to_text(const Npy&);

/// Writes format version 1. Throws BadInput.
void write_npy(const std::string& path, const Npy&);

}  // namespace wgradcheck::check
