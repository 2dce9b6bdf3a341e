#pragma once
#include <string>
#include <variant>

#include "spec/shape.hpp"
#include "targets/ascend/include/lib/conv_backprop/conv3d_bp_filter_tilingdata.h"

namespace wgradcheck::targets::ascend {

/// The shape that a tiling is of, channels counted with their padding.
spec::Shape shape_of(const TConv3DBpFilterTiling&);

/// Why a device would silently get a tiling wrong, naming the field and its value; empty where it would not.
std::string refusal_of(const TConv3DBpFilterTiling&);

/// What GetTiling makes of a shape, its output extents taken as given and a negative padding after the input
/// as 0; or why it returns -1, several groups being one reason.
std::variant<Conv3DBackpropFilterTilingData, std::string> documented_tiling(const spec::Shape&);

/// The same, or why a device would get it wrong.
std::variant<Conv3DBackpropFilterTilingData, std::string> tiling_of(const spec::Shape&);

/// The same problem cut smaller, so that a small shape has many blocks and tiles: bit 0 of `how` makes a
/// block one output row; bit 1 makes tiles 16 long, blocks two of them wide, and turns their order round. 0
/// changes nothing.
Conv3DBackpropFilterTilingData cut_smaller(Conv3DBackpropFilterTilingData, std::int64_t how);

}  // namespace wgradcheck::targets::ascend
