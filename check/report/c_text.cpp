#include "check/report/c_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace wgradcheck::check {

std::string c_comment(const std::string& text) {
  std::string out = "/* ";
  for (const char c : text) {
    const char last = out.back();
    // Neither the comment's marks nor a trigraph may come about.
    if ((last == '*' && c == '/') || (last == '/' && c == '*') || (last == '?' && c == '?')) out += ' ';
    const auto byte = static_cast<unsigned char>(c);
    out += c == '\n' ? "\n   " : byte < 0x20 || byte > 0x7e || c == '\\' ? "." : std::string(1, c);
  }
  while (out.ends_with(' ') || out.ends_with('\n')) out.pop_back();
  for (std::size_t at; (at = out.find(" \n")) != std::string::npos;) out.erase(at, 1);
  return out + " */\n";
}

std::string c_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\' && c != '?';
    out += plain ? std::string(1, c) : fmt::format("\\{:03o}", byte);
  }
  return out + "\"";
}

std::string c_upper(std::string name) {
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

std::string c_float(double value) {
  const std::string text = c_double(value);
  return std::isfinite(value) && text.find('x') != std::string::npos ? text + "f" : text;
}

std::string c_double(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  if (value == 0 && std::signbit(value)) return "-0.0";
  if (value == std::trunc(value) && std::abs(value) < 0x1p31)
    return fmt::format("{}", static_cast<long>(value));
  return fmt::format("{:a}", value);
}

}  // namespace wgradcheck::check
