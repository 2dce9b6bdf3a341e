#pragma once
#include <string>

#include "check/report/verdict.hpp"

namespace wgradcheck::check {

/// Figures of inline SVG, each with a caption, for a page with the checker's style. Around a wrong element: x
/// with its padding, dy and dW's taps, the products that the formula asks for and those that the kernel made
/// instead marked by shape, sign and colour. Of a stray access: the buffer and where it was missed. What
/// would be large is cut, and the captions say so.
std::string drawing_of(const Counterexample&);

/// The key to the marks.
std::string key_of_marks();

}  // namespace wgradcheck::check
