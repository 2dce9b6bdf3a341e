#pragma once
#include <string>
#include <string_view>

namespace wgradcheck::check {

/// The text in UTF-8 that XML 1.0 and HTML can hold: every byte that is none, and every control character but
/// tab, line feed and carriage return, becomes U+FFFD.
std::string printable(std::string_view text);

/// A printable text as the content of an XML or HTML element, or of an attribute in double quotes.
std::string escaped(std::string_view text);

}  // namespace wgradcheck::check
