#include "check/run/host_call.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace wgradcheck::check {
namespace {

wgrad_axis axis_of(const spec::Axis<std::int64_t>& a) {
  return {a.input, a.output, a.kernel, a.stride, a.dilation, a.pad_before};
}

std::int64_t type_of(DType t) {
  return t == DType::f32 ? WGRAD_F32 : t == DType::f16 ? WGRAD_F16 : WGRAD_BF16;
}

/// The fields in the struct's order, which is one of int64_t alone.
constexpr std::array kFields{
    "batch",         "groups",        "in_channels",     "out_channels",      "depth.input",  "depth.output",
    "depth.kernel",  "depth.stride",  "depth.dilation",  "depth.pad_before",  "height.input", "height.output",
    "height.kernel", "height.stride", "height.dilation", "height.pad_before", "width.input",  "width.output",
    "width.kernel",  "width.stride",  "width.dilation",  "width.pad_before",  "in_type",      "out_type",
    "accumulate",    "threads",       "implementation"};
static_assert(sizeof(wgrad_problem) == kFields.size() * sizeof(std::int64_t));

}  // namespace

wgrad_problem problem_of(const Case& c) {
  const spec::Shape& s = c.shape;
  return {s.batch,           s.groups,         s.in_channels,    s.out_channels,   axis_of(s.depth),
          axis_of(s.height), axis_of(s.width), type_of(c.dtype), type_of(c.dtype), c.accumulate ? 1 : 0,
          c.cores(),         c.implementation};
}

std::vector<std::pair<const char*, std::int64_t>> fields_of(const wgrad_problem& problem) {
  std::array<std::int64_t, kFields.size()> values{};
  std::memcpy(values.data(), &problem, sizeof problem);
  std::vector<std::pair<const char*, std::int64_t>> fields;
  for (std::size_t i = 0; i < kFields.size(); ++i) fields.emplace_back(kFields[i], values[i]);
  return fields;
}

std::string changed_field(const wgrad_problem& before, const wgrad_problem& after) {
  const auto was = fields_of(before), is = fields_of(after);
  const auto differs = std::ranges::mismatch(was, is).in1;
  return differs == was.end() ? "" : differs->first;
}

}  // namespace wgradcheck::check
