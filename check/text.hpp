#pragma once
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace wgradcheck::check {

/// The number that all of a text is; nothing where it is anything else, or does not fit the type.
template <class Int>
std::optional<Int> whole_number(std::string_view text, int base = 10) {
  Int value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value, base);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

/// What lies between the separators; at least one part, which may be empty.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0;;) {
    const std::size_t end = text.find(separator, from);
    parts.push_back(text.substr(from, end - from));
    if (end == std::string_view::npos) return parts;
    from = end + 1;
  }
}

}  // namespace wgradcheck::check
