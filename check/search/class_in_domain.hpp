#pragma once
#include <cstdint>

#include "check/search/classes.hpp"
#include "check/search/domain.hpp"

namespace wgradcheck::check {

/// Whether 1,000 cases drawn without --where hold one of the class that the domain admits. True without
/// --where.
bool holds_class(const Domain&, const ShapeClass&, std::uint64_t seed);

}  // namespace wgradcheck::check
