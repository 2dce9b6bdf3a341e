#pragma once
#include <string>

/// Texts and numbers as C99 writes them.
namespace wgradcheck::check {

/// A comment that nothing in the text can end or nest in.
std::string c_comment(const std::string& text);

/// A string literal, in which every byte that is no plain character is a number.
std::string c_string(const std::string& text);

/// A name in upper case, for a macro.
std::string c_upper(std::string name);

/// A constant of type float that has exactly this value, which float holds; INFINITY and NAN need math.h.
std::string c_float(double value);

/// The same of type double.
std::string c_double(double value);

}  // namespace wgradcheck::check
