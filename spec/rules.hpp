#pragma once
#include <cstdint>
#include <optional>

#include "spec/budget.hpp"

/// The rules of `Conv2DBackpropFilterFusion` (FT78NE, MT7004): admission and paths.
namespace wgradcheck::spec {

/// Depthwise path: output channels, groups and input channels all equal and both dilations 1.
template <class Int>
auto is_depthwise(const Call<Int>& c) {
  return c.output_channel == c.group && c.input_channel == c.output_channel && c.dilation_h == Int(1) &&
         c.dilation_w == Int(1);
}

/// 1x1 path: one tap, no pads, unit steps, one group; and planes that agree, since x is then read
/// contiguously.
template <class Int>
auto is_pointwise(const Call<Int>& c) {
  return c.kernel_h == Int(1) && c.kernel_w == Int(1) && c.pad_l == Int(0) && c.pad_u == Int(0) &&
         c.pad_d == Int(0) && c.pad_r == Int(0) && c.dilation_h == Int(1) && c.dilation_w == Int(1) &&
         c.stride_h == Int(1) && c.stride_w == Int(1) && c.group == Int(1) && c.input_h == c.output_h &&
         c.input_w == c.output_w;
}

/// How a call is computed. Where both special conditions hold, depthwise comes first.
enum class Path { general, depthwise, pointwise };

/// The documents' word for a path.
constexpr const char* name_of(Path p) {
  return p == Path::general ? "general" : p == Path::depthwise ? "depthwise" : "pointwise";
}

inline Path path_of(const Call<std::int64_t>& c) {
  return is_depthwise(c) ? Path::depthwise : is_pointwise(c) ? Path::pointwise : Path::general;
}

/// Calls visit(field, reason, condition) for each condition of a valid call, condition being a callable that
/// yields its truth. A later condition may be evaluated only where all before it hold. Fields as in
/// ConvParameter.
template <class Int, class Visit>
void each_condition(const Call<Int>& c, Visit visit) {
  const auto at_least = [&visit](const char* field, const Int& value, int least) {
    visit(field, least == 0 ? "must be at least 0" : "must be at least 1",
          [=] { return value >= Int(least); });
  };
  at_least("output_batch_", c.output_batch, 1);
  at_least("input_batch_", c.input_batch, 1);
  at_least("input_h_", c.input_h, 1);
  at_least("input_w_", c.input_w, 1);
  at_least("output_h_", c.output_h, 1);
  at_least("output_w_", c.output_w, 1);
  at_least("input_channel_", c.input_channel, 1);
  at_least("output_channel_", c.output_channel, 1);
  at_least("kernel_h_", c.kernel_h, 1);
  at_least("kernel_w_", c.kernel_w, 1);
  at_least("group_", c.group, 1);
  at_least("pad_l_", c.pad_l, 0);
  at_least("pad_u_", c.pad_u, 0);
  at_least("dilation_h_", c.dilation_h, 1);
  at_least("dilation_w_", c.dilation_w, 1);
  at_least("stride_h_", c.stride_h, 1);
  at_least("stride_w_", c.stride_w, 1);
  at_least("pad_d_", c.pad_d, 0);
  at_least("pad_r_", c.pad_r, 0);
  at_least("core_mask", c.core_num, 1);
  const auto divides = [](const Int& group, const Int& channels) {
    return floor_div(channels, group) * group == channels;
  };
  visit("input_batch_", "must equal output_batch_", [=] { return c.input_batch == c.output_batch; });
  visit("input_channel_", "must be a multiple of group_", [=] { return divides(c.group, c.input_channel); });
  visit("output_channel_", "must be a multiple of group_",
        [=] { return divides(c.group, c.output_channel); });
  visit("buffer_size_",
        "must be at least 2 * kernel_h_ * kernel_w_ * (input_channel_ / group_) * sizeof(element)",
        [=] { return c.buffer_size >= buffer_limit(c); });
  visit("input_h_", "makes x larger than the machine addresses",
        [=] { return x_elems(shape_of(c)) * c.elem_bytes <= c.limit; });
  visit("output_h_", "makes dy larger than the machine addresses",
        [=] { return dy_elems(shape_of(c)) * c.elem_bytes <= c.limit; });
  visit("output_channel_", "makes dW or its partials larger than the machine addresses",
        [=] { return partial_workspace(c) <= c.limit; });
  visit("buffer_size_", "makes the workspace larger than the machine addresses",
        [=] { return chunk_workspace(c) <= c.limit; });
}

/// The one admission test: entry points evaluate it, proofs assume it.
template <class Int>
auto valid(const Call<Int>& c) {
  auto all = Int(0) <= Int(0);
  each_condition(c, [&all](const char*, const char*, auto condition) { all = all && condition(); });
  return all;
}

/// Why a call is refused, or nothing. Evaluated in 64 bits; a product that leaves them is a refusal too.
std::optional<Refusal> refuse(const Call<std::int64_t>&);

}  // namespace wgradcheck::spec
