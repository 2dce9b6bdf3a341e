#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace wgradcheck::check {

/// Bytes of the character in UTF-8 at the start of the text, 0 where there is none that XML allows.
std::size_t character(std::string_view text);

/// The text in UTF-8 that XML 1.0 and HTML can hold: every byte that is none, and every control character but
/// tab, line feed and carriage return, becomes U+FFFD.
std::string printable(std::string_view text);

/// A printable text as the content of an XML or HTML element, or of an attribute in double quotes.
std::string escaped(std::string_view text);

}  // namespace wgradcheck::check
