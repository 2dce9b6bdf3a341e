#include "check/report/schema.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "embedded.hpp"

namespace wgradcheck::check {
namespace {

using Json = nlohmann::ordered_json;

bool is_type(const Json& value, const std::string& name) {
  return name == "object"    ? value.is_object()
         : name == "array"   ? value.is_array()
         : name == "string"  ? value.is_string()
         : name == "integer" ? value.is_number_integer()
         : name == "number"  ? value.is_number()
         : name == "null"    ? value.is_null()
                             : false;
}

/// What of JSON Schema docs/report.schema.json uses.
class Schema {
 public:
  explicit Schema(Json root) : root_(std::move(root)) {}

  std::vector<std::string> faults(const Json& value) const {
    Faults found;
    look(root_, value, "", found);
    return found;
  }

 private:
  using Faults = std::vector<std::string>;

  static std::string inside(const std::string& at, const std::string& name) {
    return at.empty() ? name : at + "." + name;
  }

  void look(const Json& schema, const Json& value, const std::string& at, Faults& found) const {
    const auto allows = [&](const char* rule) { return schema.contains(rule); };
    const auto bad = [&](const Json& rule) {
      found.push_back(fmt::format("{} is {}, not {}", at, value.dump(), rule.dump()));
    };
    if (allows("$ref"))
      return look(root_.at(Json::json_pointer(schema.at("$ref").get<std::string>().substr(1))), value, at,
                  found);
    if (allows("const") && schema.at("const") != value) bad(schema.at("const"));
    if (allows("enum") && std::ranges::find(schema.at("enum"), value) == schema.at("enum").end())
      bad(schema.at("enum"));
    if (allows("type")) {
      const Json& type = schema.at("type");
      const bool fits = type.is_string()
                            ? is_type(value, type)
                            : std::ranges::any_of(type, [&](const Json& t) { return is_type(value, t); });
      if (!fits) return bad(type);
    }
    for (const auto& [rule, word, breaks] :
         {std::tuple{"minimum", "under", value < schema.value("minimum", value)},
          {"maximum", "over", value > schema.value("maximum", value)}})
      if (breaks)
        found.push_back(fmt::format("{} is {}, {} {}", at, value.dump(), word, schema.at(rule).dump()));
    if (value.is_object()) look_inside(schema, value, at, found);
    if (value.is_array() && allows("items"))
      for (const Json& one : value) look(schema.at("items"), one, at + "[]", found);
  }

  void look_inside(const Json& schema, const Json& value, const std::string& at, Faults& found) const {
    for (const Json& name : schema.value("required", Json::array()))
      if (!value.contains(name)) found.push_back(inside(at, name) + " is missing");
    const Json fields = schema.value("properties", Json::object());
    const Json others = schema.value("additionalProperties", Json(true));
    for (const auto& [name, one] : value.items())
      if (fields.contains(name))
        look(fields.at(name), one, inside(at, name), found);
      else if (others == false)
        found.push_back(inside(at, name) + " is not in the schema");
      else if (others.is_object())
        look(others, one, inside(at, name), found);
  }

  Json root_;
};

}  // namespace

std::vector<std::string> schema_faults(const Json& report) {
  static const Schema schema(Json::parse(kReportSchemaText));
  return schema.faults(report);
}

}  // namespace wgradcheck::check
