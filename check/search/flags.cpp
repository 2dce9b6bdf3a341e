#include "check/search/flags.hpp"

#include <fmt/format.h>

#include "check/text.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {

void Flags::add(const std::string& name, const std::string& as_given, const std::string& value) {
  const auto [there, is_new] = given_.emplace(name, Given{as_given, value});
  const std::string& first = there->second.flag;
  if (!is_new)
    throw spec::Refusal{name, first == as_given
                                  ? fmt::format("{} is given twice", first)
                                  : fmt::format("{} is given twice, also as {}", first, as_given)};
}

std::int64_t Flags::number(const std::string& name, std::int64_t otherwise) const {
  const auto found = given_.find(name);
  if (found == given_.end()) return otherwise;
  const auto number = whole_number<std::int32_t>(found->second.value);
  if (!number) refuse(name, "which is no number that fits an int");
  return *number;
}

std::string Flags::text(const std::string& name, const std::string& otherwise) const {
  const auto found = given_.find(name);
  return found == given_.end() ? otherwise : found->second.value;
}

void Flags::refuse(const std::string& name, const std::string& why) const {
  const Given& given = given_.at(name);
  throw spec::Refusal{name, fmt::format("{} is \"{}\", {}", given.flag, given.value, why)};
}

spec::Shape shape_of(std::span<const std::pair<std::string, std::int64_t>> fields) {
  std::string line;
  for (const auto& [field, value] : fields) line += field + std::to_string(value);
  const auto shape = spec::parse_line(line);
  if (const auto* refusal = std::get_if<spec::Refusal>(&shape)) throw *refusal;
  return std::get<spec::Shape>(shape);
}

}  // namespace wgradcheck::check
