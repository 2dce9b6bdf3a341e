#pragma once
#include <span>

#include "check/case.hpp"

namespace wgradcheck::check {

/// A kind of case that a search must not forget. Classes overlap; a verdict states each one's share.
struct ShapeClass {
  const char* name;
  bool (*contains)(const Case&);
};

/// Every class, the structural ones (dense, pointwise, depthwise, multiplier, grouped) first.
std::span<const ShapeClass> shape_classes();

}  // namespace wgradcheck::check
