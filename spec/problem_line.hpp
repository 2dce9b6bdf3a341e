#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "spec/shape.hpp"

namespace wgradcheck::spec {

/// Reads a problem line such as `g1mb4ic4ih4oc4oh2kh3` by benchdnn's rules, or says why it is refused:
/// mb is 2 and g is 1 when missing; an axis with no field at all copies the next larger one or is absent; in
/// a given axis stride is 1 and dilation 0 (dense) when missing; the output is computed from the pads (0 when
/// missing), or a missing pad from the output, rounded towards zero; `_` is ignored; `n` starts the name.
std::variant<Shape, Refusal> parse_line(std::string_view line);

/// The shortest line, output sizes included, that parse_line reads back as this shape; benchdnn reads it
/// alike. Requires !refuse(shape).
std::string to_line(const Shape&);

}  // namespace wgradcheck::spec
