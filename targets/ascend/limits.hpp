#pragma once
#include <string>
#include <variant>

#include "spec/shape.hpp"
#include "targets/ascend/include/lib/conv_backprop/conv3d_bp_filter_tilingdata.h"

namespace wgradcheck::targets::ascend {

/// Why a device would silently get a tiling wrong, naming the field and its value; empty where it would not.
std::string refusal_of(const TConv3DBpFilterTiling&);

/// The tiling of a shape, its output extents taken as given and a negative padding after the input as 0; or
/// why there is none: several groups, what GetTiling refuses, or what the engine would get wrong.
std::variant<Conv3DBackpropFilterTilingData, std::string> tiling_of(const spec::Shape&);

}  // namespace wgradcheck::targets::ascend
