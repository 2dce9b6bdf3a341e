#include "check/report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/search/domain.hpp"
#include "targets/ascend/limits.hpp"

namespace wgradcheck::check {

const char* dtype_name(DType t) { return t == DType::f32 ? "f32" : t == DType::f16 ? "f16" : "bf16"; }

std::optional<DType> dtype_named(std::string_view name) {
  for (const DType t : {DType::f32, DType::f16, DType::bf16})
    if (name == dtype_name(t)) return t;
  return {};
}

const char* bias_name(Bias b) { return b == Bias::none ? "none" : b == Bias::column ? "column" : "cout"; }

const char* placement_name(Placement p) {
  switch (p) {
    case Placement::flush_end:
      return "end";
    case Placement::flush_start:
      return "start";
    case Placement::aligned:
      return "aligned";
    case Placement::least:
      return "least";
  }
  return "";
}

const char* path_name(const Case& c) { return name_of(spec::path_of(call_of(c))); }

std::string call_in_words(const Case& c) {
  if (c.ascend) {
    const auto usual = std::get<Conv3DBackpropFilterTilingData>(targets::ascend::tiling_of(c.shape));
    const auto tiling = targets::ascend::cut_smaller(usual, c.implementation);
    const auto& [m, n, k] = tiling.basicBlockTiling;
    return fmt::format("{} core{}, singleCoreM {}, singleCoreN {}, singleCoreK {}{}", c.cores(),
                       c.cores() == 1 ? "" : "s", m, n, k,
                       c.implementation % 4 == 0 ? "" : fmt::format(", cut smaller ({})", c.implementation));
  }
  if (c.host)
    return fmt::format("{} thread{}{}, implementation {}", c.cores(), c.cores() == 1 ? "" : "s",
                       c.workspace ? fmt::format(", workspace {} bytes", c.workspace) : "", c.implementation);
  return fmt::format("{} path, {} core{} (mask {:#x}), buffer_size_ {}, workspace {} bytes, bias {}",
                     path_name(c), c.cores(), c.cores() == 1 ? "" : "s", c.core_mask, c.buffer, c.workspace,
                     c.bias == Bias::none ? "NULL" : bias_name(c.bias));
}

std::string number(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.9g}", value); }

std::string grouped(std::int64_t count) {
  std::string digits = std::to_string(count);
  for (std::ptrdiff_t at = std::ssize(digits) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::int64_t percent(std::int64_t part, std::int64_t whole) {
  return whole ? (100 * part + whole / 2) / whole : 0;
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t length = end - at;
    if (used && used + 1 + length > width) {
      out += "\n" + std::string(indent, ' ');
      used = 0;
    } else if (at) {
      out += " ";
      ++used;
    }
    out += text.substr(at, length);
    used += length;
    at = end + 1;
  }
  return out;
}

}  // namespace wgradcheck::check
