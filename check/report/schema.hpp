#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wgradcheck::check {

/// What a report says otherwise than docs/report.schema.json, each by its field: "cases.run is missing".
std::vector<std::string> schema_faults(const nlohmann::ordered_json& report);

}  // namespace wgradcheck::check
