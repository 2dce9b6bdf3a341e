#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "spec/shape.hpp"
#include "targets/ascend/include/lib/conv_backprop/conv3d_bp_filter_tilingdata.h"

namespace wgradcheck::check {

/// What Ascend's GetTiling makes of a problem line.
struct AscendPlan {
  spec::Shape shape{};
  /// The tiling, or why GetTiling returns -1.
  std::variant<Conv3DBackpropFilterTilingData, std::string> tiling{};
  std::string warning;  ///< why a device would get it wrong all the same; empty where it would not
};

/// Plans a line, its od, oh and ow taken as given. Throws BadInput where the line is refused.
AscendPlan plan_for_ascend(std::string_view line);

/// The plan on 80 columns.
std::string text_of(const AscendPlan&);

/// The plan: `result` of GetTiling, then the structs' fields by their names.
nlohmann::ordered_json json_of(const AscendPlan&);

}  // namespace wgradcheck::check
