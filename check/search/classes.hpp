#pragma once
#include <span>

#include "check/abi.hpp"

namespace wgradcheck::check {

/// A kind of case that a search must not forget. Classes overlap; a verdict states each one's share.
struct ShapeClass {
  const char* name;
  bool (*contains)(const Case&);
  /// Of which conventions it is a class: `groups` of those that know groups.
  enum class Of { all, groups, machine, host, host_or_ascend, ascend } of = Of::all;
  bool of_cores = false;  ///< it is that of several cores
};

/// Every class of the convention, the structural ones (dense, pointwise, depthwise, multiplier, grouped)
/// first.
std::span<const ShapeClass> shape_classes(const Abi&);

}  // namespace wgradcheck::check
