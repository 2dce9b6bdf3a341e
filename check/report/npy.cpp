#include "check/report/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <regex>

#include "check/kernel.hpp"
#include "check/report/files.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::string_view kMagic{"\x93NUMPY", 6};
constexpr std::size_t kMostHeader = 4096;  // bytes
constexpr std::size_t kAlignment = 64;     // of the data in a file; the header is padded to it

/// The little-endian number of some bytes.
std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::vector<std::int64_t> extents(const std::string& tuple) {
  std::vector<std::int64_t> shape;
  const std::regex number("[0-9]+");
  for (std::sregex_iterator i(tuple.begin(), tuple.end(), number), end; i != end; ++i)
    shape.push_back(i->length() > 18 ? std::numeric_limits<std::int64_t>::max() : std::stoll(i->str()));
  return shape;
}

}  // namespace

Npy to_npy(const std::string& name, const std::string& file) {
  const auto refuse = [&name](const std::string& why) { return BadInput{fmt::format("{} {}", name, why)}; };
  const std::string_view text = file;
  if (!text.starts_with(kMagic) || text.size() < 12) throw refuse("is not an array file of NumPy's");
  const int version = text[6];
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t length = little_endian(text.substr(8, length_bytes));
  if (version < 1 || version > 3 || text.size() < 8 + length_bytes + length)
    throw refuse("is not an array file of version 1, 2 or 3, or is cut short");
  // Regular expressions need a stack as deep as their text is long.
  if (length > kMostHeader) throw refuse(fmt::format("has a header of {} bytes", length));
  const std::string header(text.substr(8 + length_bytes, length));

  std::smatch dtype, order, shape;
  if (!std::regex_search(header, dtype, std::regex("'descr': *'([<|][a-z]([0-9]{1,2}))'")))
    throw refuse("does not hold little-endian numbers: " + header.substr(0, header.find('\n')));
  if (!std::regex_search(header, order, std::regex("'fortran_order': *(True|False)")) ||
      !std::regex_search(header, shape, std::regex("'shape': *\\(([0-9, ]*)\\)")))
    throw refuse("has a header without an order or a shape");
  Npy array{dtype[1], extents(shape[1]), file.substr(8 + length_bytes + length)};
  if (order[1] == "True" && array.shape.size() > 1) throw refuse("is in Fortran order; save it in C order");
  std::int64_t bytes = std::stoll(dtype[2]);
  for (const std::int64_t extent : array.shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes)) throw refuse("has a shape that no file can hold");
  if (bytes != std::ssize(array.bytes))
    throw refuse(fmt::format("holds {} bytes, but its shape says {}", array.bytes.size(), bytes));
  return array;
}

Npy read_npy(const std::string& path) { return to_npy(path, read_file(path)); }

std::string to_text(const Npy& array) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", array.dtype,
                                   fmt::join(array.shape, ", "));
  const std::size_t preamble = kMagic.size() + 4;
  header.append(kAlignment - 1 - (preamble + header.size()) % kAlignment, ' ').push_back('\n');
  std::string file(kMagic);
  file += {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  return file + header + array.bytes;
}

void write_npy(const std::string& path, const Npy& array) { write_file(path, to_text(array)); }

}  // namespace wgradcheck::check
