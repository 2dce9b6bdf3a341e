#pragma once
#include <string>

namespace wgradcheck::check {

/// What a property means that a check reports, why it matters, a small example and the usual causes, on 80
/// columns. Throws BadInput: no property has that name.
std::string explanation_of(const std::string& property);

}  // namespace wgradcheck::check
