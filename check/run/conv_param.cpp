#include "check/run/conv_param.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "spec/checked.hpp"
#include "spec/fractal.hpp"
#include "spec/rules.hpp"
#include "targets/ascend/limits.hpp"

namespace wgradcheck::check {
namespace {

using Wide = spec::Checked<std::int64_t>;

spec::BasicShape<Wide> checked(const spec::Shape& s) {
  const auto axis = [](const spec::Axis<std::int64_t>& a) {
    return spec::Axis<Wide>{a.input, a.output, a.kernel, a.stride, a.dilation, a.pad_before};
  };
  return {s.batch, s.groups, s.in_channels, s.out_channels, axis(s.depth), axis(s.height), axis(s.width)};
}

/// A page everywhere.
constexpr std::int64_t kLargestAlignment = 4096;

/// Shapes that a kernel must refuse are handed over too, so a size may come out negative: that buffer is
/// empty.
Sizes sizes_of(const Case& c) {
  const bool grouped = c.shape.groups > 0;
  return {std::max<std::int64_t>(tensor_bytes(c, BufferId::dy), 0),
          std::max<std::int64_t>(tensor_bytes(c, BufferId::x), 0),
          grouped ? std::max<std::int64_t>(tensor_bytes(c, BufferId::dw), 0) : 0,
          grouped ? std::max<std::int64_t>((Wide(bias_elems(c)) * Wide(size_of(c.dtype))).value(), 0) : 0,
          parameter_bytes(c),
          std::max<std::int64_t>(c.workspace, 0)};
}

/// Fills the ints of ConvParameter, or says which does not fit.
std::string fill_ints(const Case& c, CallImage& image) {
  const auto call = spec::call_of(c.shape, size_of(c.dtype), c.cores(), c.buffer);
  for (std::size_t i = 0; i < kCallFields.size(); ++i) {
    const std::int64_t value = call.*kCallFields[i];
    if (value != static_cast<std::int32_t>(value))
      return fmt::format("{} = {} does not fit an int", kParamFields[i], value);
    image.param.fields[i] = static_cast<std::int32_t>(value);
  }
  for (std::size_t i = 0; i < kCallFields.size(); ++i)
    if (c.tamper.has(i)) image.param.fields[i] = c.tamper.values[i];
  return {};
}

}  // namespace

std::int64_t tensor_bytes(const Case& c, BufferId id) {
  const auto s = checked(c.shape);
  const Wide elems = id == BufferId::dy  ? c.ascend ? spec::packed_dy_elems(s) : spec::dy_elems(s)
                      : id == BufferId::x ? c.ascend ? spec::packed_x_elems(s) : spec::x_elems(s)
                      : c.ascend ? spec::packed_dw_elems(s)
                                         : spec::dw_elems(s);
  return (elems * Wide(size_of(id == BufferId::dw ? c.dw_type() : c.dtype))).value();
}

std::int64_t parameter_bytes(const Case& c) {
  return c.ascend ? sizeof(Conv3DBackpropFilterTilingData)
         : c.host ? sizeof(wgrad_problem)
                  : sizeof(ConvParam);
}

std::variant<CallImage, std::string> image_of(const Abi& abi, const Case& c) {
  if (!abi.host && c.shape.depth != spec::kNoAxis) return fmt::format("{} has no depth axis", abi.name);
  if (c.dtype != abi.dtype) return fmt::format("the case's element type is not that of {}", abi.name);
  if (c.host != abi.host || c.ascend != abi.ascend) return fmt::format("the case is not one of {}", abi.name);
  if (c.align > kLargestAlignment) return fmt::format("align = {} exceeds {}", c.align, kLargestAlignment);
  if (c.core_mask == 0) return std::string("core_mask names no core");
  if (!abi.shared && !abi.host && c.cores() != 1)
    return fmt::format("{} runs on one core, core_mask names {}", abi.name, c.cores());

  CallImage image;
  image.host = abi.host;
  image.ascend = abi.ascend;
  if (abi.ascend) {
    const auto tiling = targets::ascend::tiling_of(c.shape);
    if (const auto* why = std::get_if<std::string>(&tiling)) return *why;
    image.tiling =
        targets::ascend::cut_smaller(std::get<Conv3DBackpropFilterTilingData>(tiling), c.implementation);
  } else if (abi.host)
    image.problem = problem_of(c);
  else if (std::string misfit = fill_ints(c, image); !misfit.empty())
    return misfit;
  try {
    image.sizes = image.room = sizes_of(c);
    for (const BufferId id : {BufferId::dy, BufferId::x, BufferId::dw, BufferId::bias}) {
      std::int64_t& room = image.room[static_cast<std::size_t>(id)];
      room = (Wide(room) + Wide(c.read_slack)).value();
    }
  } catch (const spec::Overflow&) {
    return std::string("a tensor's size in bytes does not fit 64 bits");
  }
  return image;
}

std::string changed_field(const CallImage& given, const std::byte* now) {
  if (given.ascend) return std::memcmp(&given.tiling, now, sizeof given.tiling) == 0 ? "" : "dwTiling";
  if (given.host) {
    wgrad_problem problem;
    std::memcpy(&problem, now, sizeof problem);
    return changed_field(given.problem, problem);
  }
  const ConvParam& before = given.param;
  ConvParam after;
  std::memcpy(&after, now, sizeof after);
  if (before.workspace != after.workspace) return "workspace_";
  const auto [was, is] = std::ranges::mismatch(before.fields, after.fields);
  if (was == before.fields.end()) return {};
  return kParamFields[static_cast<std::size_t>(was - before.fields.begin())];
}

}  // namespace wgradcheck::check
