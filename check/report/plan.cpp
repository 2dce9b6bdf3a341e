#include "check/report/plan.hpp"

#include <fmt/core.h>

#include <limits>

#include "check/kernel.hpp"
#include "check/search/domain.hpp"
#include "check/search/problem.hpp"
#include "spec/checked.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

using Call = spec::Call<std::int64_t>;
using Wide = spec::Checked<std::int64_t>;

constexpr std::int64_t kMostInt = std::numeric_limits<std::int32_t>::max();

/// A formula's value, or nothing where it does not fit 64 bits.
template <class Formula>
PlanSizes::Size size(Formula formula) {
  try {
    return formula().value();
  } catch (const spec::Overflow&) {
    return {};
  }
}

PlanSizes sizes_of(const spec::Shape& shape, const std::optional<Call>& call) {
  const auto s = spec::as<Wide>(shape);
  PlanSizes sizes;
  sizes.x = size([&] { return spec::x_elems(s); });
  sizes.dy = size([&] { return spec::dy_elems(s); });
  sizes.dw = size([&] { return spec::dw_elems(s); });
  sizes.products = size([&] { return spec::products(s); });
  if (!call) return sizes;
  const auto c = spec::as<Wide>(*call);
  sizes.row = size([&] { return spec::row_bytes(c); });
  sizes.chunk = size([&] { return spec::chunk(c); });
  if (sizes.chunk.value_or(0) > 0)
    sizes.chunks = size([&] { return spec::ceil_div(c.output_h * c.output_w, spec::chunk(c)); });
  sizes.limit = size([&] { return spec::buffer_limit(c); });
  sizes.documented = size([&] { return spec::documented_workspace(c); });
  sizes.safe = size([&] { return spec::safe_workspace(c); });
  return sizes;
}

std::vector<std::string> failing_depthwise(const Call& c) {
  std::vector<std::string> failing;
  if (c.output_channel != c.group)
    failing.push_back(fmt::format("output_channel_ {} is not group_ {}", c.output_channel, c.group));
  if (c.input_channel != c.output_channel)
    failing.push_back(
        fmt::format("input_channel_ {} is not output_channel_ {}", c.input_channel, c.output_channel));
  for (const auto& [field, value] : {std::pair{"dilation_h_", c.dilation_h}, {"dilation_w_", c.dilation_w}})
    if (value != 1) failing.push_back(fmt::format("{} is {}", field, value));
  return failing;
}

std::vector<std::string> failing_pointwise(const Call& c) {
  std::vector<std::string> failing;
  for (const auto& [field, value, wanted] : {std::tuple{"kernel_h_", c.kernel_h, 1},
                                             {"kernel_w_", c.kernel_w, 1},
                                             {"pad_l_", c.pad_l, 0},
                                             {"pad_u_", c.pad_u, 0},
                                             {"pad_d_", c.pad_d, 0},
                                             {"pad_r_", c.pad_r, 0},
                                             {"dilation_h_", c.dilation_h, 1},
                                             {"dilation_w_", c.dilation_w, 1},
                                             {"stride_h_", c.stride_h, 1},
                                             {"stride_w_", c.stride_w, 1},
                                             {"group_", c.group, 1}})
    if (value != wanted) failing.push_back(fmt::format("{} is {}", field, value));
  if (c.input_h != c.output_h || c.input_w != c.output_w)
    failing.push_back(
        fmt::format("the planes differ: {}x{} in, {}x{} out", c.input_h, c.input_w, c.output_h, c.output_w));
  return failing;
}

/// Collects what a caller should know.
class Warnings {
 public:
  Warnings(const LinePlan& plan, const PlanRequest& request) : plan_(plan), request_(request) {}

  std::vector<Warning> all() {
    if (!plan_.call) {
      add("not_2d", "ConvParameter has no depth: this convention cannot express a 3D shape");
    } else {
      padding("height", plan_.shape.height, "h", "d");
      padding("width", plan_.shape.width, "w", "r");
      buffer();
      workspace();
      fields();
    }
    tensor("x", plan_.sizes.x);
    tensor("dy", plan_.sizes.dy);
    tensor("dW", plan_.sizes.dw);
    return std::move(warnings_);
  }

 private:
  template <class... Args>
  void add(const char* id, fmt::format_string<Args...> sentence, Args&&... args) {
    warnings_.push_back({id, fmt::format(sentence, std::forward<Args>(args)...)});
  }

  void padding(const char* axis, const spec::Axis<std::int64_t>& a, const char* letter, const char* after) {
    const std::int64_t derived = spec::pad_after(a);
    if (derived >= 0) return;
    add("padding_after_negative",
        "the output leaves the last {} of the {} unread: the padding after it is {}, and pad_{}_ is passed "
        "as 0",
        -derived, axis, derived, after);
    if (const std::int64_t floor = spec::output_for<std::int64_t>(a, 0); floor != a.output)
      add("output_mismatch", "output_{}_ is {}, but with pad_{}_ = 0 the output equation gives {}", letter,
          a.output, after, floor);
  }

  void buffer() {
    const auto limit = plan_.sizes.limit;
    if (!limit) return;
    const std::int64_t given = plan_.call->buffer_size;
    if (!request_.buffer && given > kUsualBuffer)
      add("buffer_raised", "buffer_size_ is raised from the usual {} to {}, the least that is valid",
          kUsualBuffer, given);
    if (given < *limit)
      add("buffer_under_limit", "buffer_size_ {} is under the limit: use {} or more", given, *limit);
    if (constexpr std::int64_t kSuggested = 2048; given >= *limit && *limit > kSuggested)
      add("suggested_buffer_too_small",
          "the document's suggestion of {} bytes would be under the limit of {}", kSuggested, *limit);
  }

  void workspace() {
    const auto& [documented, safe] = std::pair{plan_.sizes.documented, plan_.sizes.safe};
    if (!documented || *documented > kMostInt)
      add("workspace_int32", "the workspace does not fit a 32-bit int: compute its size in 64 bits");
    if (plan_.call->core_num > 1 && documented && safe)
      add("workspace_not_for_both",
          "{} cores that each keep scratch and a partial dW in workspace_ need {} bytes, more than the "
          "documented {}",
          plan_.call->core_num, *safe, *documented);
  }

  /// Fields of ConvParameter are ints.
  void fields() {
    const Call& c = *plan_.call;
    for (const auto& [field, value] : {std::pair{"output_batch_", c.output_batch},
                                       {"input_h_", c.input_h},
                                       {"input_w_", c.input_w},
                                       {"output_h_", c.output_h},
                                       {"output_w_", c.output_w},
                                       {"input_channel_", c.input_channel},
                                       {"output_channel_", c.output_channel},
                                       {"kernel_h_", c.kernel_h},
                                       {"kernel_w_", c.kernel_w},
                                       {"group_", c.group},
                                       {"pad_l_", c.pad_l},
                                       {"pad_u_", c.pad_u},
                                       {"pad_d_", c.pad_d},
                                       {"pad_r_", c.pad_r},
                                       {"dilation_h_", c.dilation_h},
                                       {"dilation_w_", c.dilation_w},
                                       {"stride_h_", c.stride_h},
                                       {"stride_w_", c.stride_w},
                                       {"buffer_size_", c.buffer_size}})
      if (value > kMostInt) add("field_int32", "{} = {} does not fit its 32-bit int", field, value);
  }

  void tensor(const char* name, PlanSizes::Size elems) {
    if (!elems || *elems > kMostInt)
      add("elements_int32", "an element of {} is at an offset that a 32-bit int does not hold", name);
    else if (*elems > kMostInt / size_of(plan_.dtype))
      add("bytes_int32", "{} has {} bytes, more than a 32-bit int holds", name,
          *elems * size_of(plan_.dtype));
  }

  const LinePlan& plan_;
  const PlanRequest& request_;
  std::vector<Warning> warnings_;
};

}  // namespace

LinePlan plan_line(std::string_view line, const PlanRequest& request) {
  const auto parsed = read_problem(line);
  if (const auto* refusal = std::get_if<spec::Refusal>(&parsed))
    throw BadInput{fmt::format("line {}: {}", line, refusal->reason)};
  LinePlan plan;
  plan.shape = std::get<Problem>(parsed).shape;
  plan.dtype = request.dtype;
  if (plan.shape.depth == spec::kNoAxis) {
    plan.call = spec::call_of(plan.shape, size_of(request.dtype), request.cores,
                              request.buffer.value_or(kUsualBuffer));
    if (const auto limit = sizes_of(plan.shape, plan.call).limit; !request.buffer && limit)
      plan.call->buffer_size = std::max(kUsualBuffer, *limit);
    plan.refusal = spec::refuse(*plan.call);
    plan.not_depthwise = failing_depthwise(*plan.call);
    plan.not_pointwise = failing_pointwise(*plan.call);
  }
  plan.sizes = sizes_of(plan.shape, plan.call);
  plan.warnings = Warnings(plan, request).all();
  return plan;
}

}  // namespace wgradcheck::check
