#include "check/report/fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "check/report/files.hpp"

namespace wgradcheck::check {

using Json = nlohmann::ordered_json;

Fields Fields::read(const std::string& path, const char* what) {
  return parse(path, read_file(path, kMostJson), what);
}

Fields Fields::parse(const std::string& path, const std::string& text, const char* what) {
  constexpr int kDeepest = 100;
  bool deep = false;
  // What lies deeper would end the stack of whoever walks through it.
  const auto is_read = [&deep](int depth, Json::parse_event_t, const Json&) {
    deep |= depth > kDeepest;
    return depth <= kDeepest;
  };
  Json json = Json::parse(text, is_read, false);
  if (deep) throw BadInput{fmt::format("{} is not {}: it nests deeper than {}", path, what, kDeepest)};
  if (!json.is_object()) throw BadInput{fmt::format("{} is not {}: it holds no JSON object", path, what)};
  return {path, std::move(json)};
}

std::int64_t Fields::number(const char* name, std::int64_t least, std::int64_t most) const {
  const Json& field = has(name) ? json_.at(name) : Json();
  if (!field.is_number_integer())
    bad(name, field.is_null() ? "is missing" : "is no integer: " + field.dump());
  const auto value = field.get<std::int64_t>();
  if (field.is_number_unsigned() && value < 0)
    bad(name, fmt::format("is {}, outside {} to {}", field.dump(), least, most));
  if (value < least || value > most) bad(name, fmt::format("is {}, outside {} to {}", value, least, most));
  return value;
}

void Fields::only(std::span<const char* const> names) const {
  for (const auto& [name, value] : json_.items())
    if (std::ranges::find(names, std::string_view(name), [](const char* n) { return std::string_view(n); }) ==
        names.end())
      bad(name, fmt::format("is unknown; known are {}", fmt::join(names, ", ")));
}

Fields Fields::inside(const char* name) const {
  if (!has(name) || !json_.at(name).is_object()) bad(name, "is no JSON object");
  return {fmt::format("{}: {}", file_, name), json_.at(name)};
}

void Fields::bad(const std::string& name, const std::string& why) const {
  throw BadInput{fmt::format("{}: field {} {}", file_, name, why)};
}

}  // namespace wgradcheck::check
