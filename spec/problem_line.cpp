#include "spec/problem_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <vector>

#include "spec/checked.hpp"

namespace wgradcheck::spec {
namespace {

using Axis64 = Axis<std::int64_t>;
using Given = std::map<std::string, std::int64_t>;
template <class T>
using Or = std::variant<T, Refusal>;

constexpr std::array kFields{"g",  "mb", "ic", "id", "ih", "iw", "oc", "od", "oh", "ow", "kd",
                             "kh", "kw", "sd", "sh", "sw", "pd", "ph", "pw", "dd", "dh", "dw"};
constexpr std::string_view kAxisFields = "iokspd";
constexpr std::int64_t kMost = std::int64_t{1} << 62;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string at(std::size_t position) { return " at character " + std::to_string(position + 1); }

/// Length of the number, sign included, at the start of the text; 0 when there is none.
std::size_t number_length(std::string_view text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const auto digits =
      std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(sign), text.end(), is_digit);
  const auto length = static_cast<std::size_t>(digits - text.begin());
  return length > sign ? length : 0;
}

/// The fields in front of the name, each with its number.
Or<Given> read_fields(std::string_view line) {
  Given given;
  for (std::size_t i = 0; i < line.size() && line[i] != 'n';) {
    if (line[i] == '_') {
      ++i;
      continue;
    }
    const std::size_t start = i;
    while (i < line.size() && is_letter(line[i])) ++i;
    const std::string field(line.substr(start, std::max<std::size_t>(i - start, 1)));
    if (i == start) return Refusal{field, "'" + field + "'" + at(start) + " starts no field"};
    if (std::find(kFields.begin(), kFields.end(), field) == kFields.end())
      return Refusal{field, "unknown field '" + field + "'" + at(start)};
    const std::string_view number = line.substr(i, number_length(line.substr(i)));
    if (number.empty()) return Refusal{field, field + at(start) + " has no number"};
    std::int64_t value = 0;
    const auto end = std::from_chars(number.data(), number.data() + number.size(), value);
    if (end.ec != std::errc() || value <= -kMost || value >= kMost)
      return Refusal{field, field + " is " + std::string(number) + ", which does not fit 62 bits"};
    if (!given.emplace(field, value).second) return Refusal{field, field + " is given twice"};
    i += number.size();
  }
  return given;
}

std::int64_t get(const Given& given, const std::string& field, std::int64_t otherwise) {
  const auto found = given.find(field);
  return found == given.end() ? otherwise : found->second;
}

bool has_axis(const Given& given, char axis) {
  return std::any_of(kAxisFields.begin(), kAxisFields.end(), [&](char field) {
    return given.contains({field, axis});
  });
}

/// The pad that the output size asks for, before rounding: the two pads together. May be negative.
Checked<std::int64_t> both_pads(const Axis64& a) {
  auto wide = as<Checked<std::int64_t>>(a);
  wide.pad_before = 0;
  return pad_after(wide);
}

/// Rounded towards zero, as benchdnn does.
std::int64_t inferred_pad(const Axis64& a) { return both_pads(a).value() / 2; }

/// The axis as far as the line gives it, its output 1 and its pad 0 where missing.
Axis64 given_axis(const Given& given, char name, const Axis64& otherwise) {
  if (!has_axis(given, name)) return otherwise;
  const auto field = [&](char kind, std::int64_t missing) { return get(given, {kind, name}, missing); };
  return {field('i', 1), field('o', 1), field('k', 1), field('s', 1), field('d', 0) + 1, field('p', 0)};
}

/// Computes what the line leaves out of an axis: its output, or its pad. Requires positive sizes.
std::optional<Refusal> complete(Axis64& a, const Given& given, char name) {
  const std::string output{'o', name}, pad{'p', name};
  try {
    if (!given.contains(output)) {
      const auto wide = as<Checked<std::int64_t>>(a);
      a.output = output_for(wide, wide.pad_before).value();
      if (a.output < 1)
        return Refusal{output, output + " would be " + std::to_string(a.output) + ": the kernel spans " +
                                   std::to_string(span(a)) + " and the padded input has " +
                                   std::to_string(a.input + 2 * a.pad_before)};
    } else if (!given.contains(pad)) {
      a.pad_before = inferred_pad(a);
      if (a.pad_before < 0)
        return Refusal{pad, pad + " would be " + std::to_string(a.pad_before) + " for " + output + " = " +
                                std::to_string(a.output) + "; it must be at least 0"};
    }
  } catch (const Overflow&) {
    return Refusal{output, "the positions of axis " + std::string{name} + " exceed 2^62"};
  }
  return {};
}

std::optional<Refusal> missing_field(const Given& given) {
  std::vector<std::string> needed{"ic", "oc"};
  for (const char name : {'d', 'h', 'w'})
    if (has_axis(given, name)) needed.insert(needed.end(), {{'i', name}, {'k', name}});
  if (needed.size() == 2) needed.push_back("ih");
  for (const std::string& field : needed)
    if (!given.contains(field)) return Refusal{field, field + " is missing"};
  return {};
}

}  // namespace

std::variant<Shape, Refusal> parse_line(std::string_view line) {
  const Or<Given> fields = read_fields(line);
  if (const auto* refusal = std::get_if<Refusal>(&fields)) return *refusal;
  const Given& given = std::get<Given>(fields);
  if (auto refusal = missing_field(given)) return *refusal;

  Shape s{get(given, "mb", 2), get(given, "g", 1), get(given, "ic", 0), get(given, "oc", 0), {}, {}, {}};
  s.depth = given_axis(given, 'd', kNoAxis);
  s.height = given_axis(given, 'h', s.depth);
  s.width = given_axis(given, 'w', s.height);
  // What is given is judged before anything is divided by it.
  if (auto refusal = refuse(s)) return *refusal;
  for (const auto& [name, axis] : {std::pair{'d', &s.depth}, {'h', &s.height}, {'w', &s.width}})
    if (has_axis(given, name))
      if (auto refusal = complete(*axis, given, name)) return *refusal;
  if (!has_axis(given, 'h')) s.height = s.depth;
  if (!has_axis(given, 'w')) s.width = s.height;
  if (auto refusal = refuse(s)) return *refusal;
  return s;
}

std::string to_line(const Shape& s) {
  std::vector<std::pair<char, Axis64>> axes;
  if (s.depth != kNoAxis) axes.emplace_back('d', s.depth);
  if (s.depth != kNoAxis || s.height != kNoAxis || s.width == kNoAxis) axes.emplace_back('h', s.height);
  axes.emplace_back('w', s.width);
  // The axes after the first are left out only all together: benchdnn does not read d and h without w.
  if (std::all_of(axes.begin(), axes.end(), [&](const auto& a) { return a.second == axes[0].second; }))
    axes.resize(1);

  std::string line;
  const auto put = [&line](const std::string& field, std::int64_t value) {
    line += field + std::to_string(value);
  };
  const auto put_axes = [&](char kind, auto value, auto needed) {
    for (const auto& [name, a] : axes)
      if (needed(a)) put({kind, name}, value(a));
  };
  const auto always = [](const Axis64&) { return true; };
  if (s.groups != 1) put("g", s.groups);
  if (s.batch != 2) put("mb", s.batch);
  put("ic", s.in_channels);
  put_axes(
      'i', [](const Axis64& a) { return a.input; }, always);
  put("oc", s.out_channels);
  put_axes(
      'o', [](const Axis64& a) { return a.output; }, always);
  put_axes(
      'k', [](const Axis64& a) { return a.kernel; }, always);
  put_axes(
      's', [](const Axis64& a) { return a.stride; }, [](const Axis64& a) { return a.stride != 1; });
  put_axes(
      'p', [](const Axis64& a) { return a.pad_before; },
      [](const Axis64& a) { return inferred_pad(a) != a.pad_before; });
  put_axes(
      'd', [](const Axis64& a) { return a.dilation - 1; }, [](const Axis64& a) { return a.dilation != 1; });
  return line;
}

}  // namespace wgradcheck::spec
