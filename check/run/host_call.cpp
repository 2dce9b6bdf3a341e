#include "check/run/host_call.hpp"

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

std::string changed_field(const wgrad_problem& before, const wgrad_problem& after) {
  std::array<std::int64_t, kFields.size()> was{}, is{};
  std::memcpy(was.data(), &before, sizeof before);
  std::memcpy(is.data(), &after, sizeof after);
  for (std::size_t i = 0; i < kFields.size(); ++i)
    if (was[i] != is[i]) return kFields[i];
  return {};
}

}  // namespace wgradcheck::check
