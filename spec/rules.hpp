#pragma once
#include <cstdint>
#include <optional>

#include "spec/shape.hpp"

/// The rules of `Conv2DBackpropFilterFusion` (FT78NE, MT7004): admission, paths, chunks and workspace.
namespace wgradcheck::spec {

/// What a call of conv_grad_filter says: the 20 integers of ConvParameter by the document's names, and what
/// the entry point and the machine add. Sizes in elements, buffer_size and limit in bytes.
template <class Int>
struct Call {
  Int output_batch, input_batch, input_h, input_w, output_h, output_w, input_channel, output_channel;
  Int kernel_h, kernel_w, group, pad_l, pad_u, dilation_h, dilation_w, stride_h, stride_w;
  Int buffer_size, pad_d, pad_r;
  Int elem_bytes;  ///< bytes of an element of dy, x, dW and bias: 4 or 2
  Int core_num;    ///< cores taking part, at least 1
  Int limit;       ///< the largest buffer, in bytes, that the machine addresses
};

inline constexpr int kFloatBytes = 4;  ///< partials are float whatever the element type

/// The convolution that a call describes. Right and bottom pads do not enter the sum.
template <class Int>
BasicShape<Int> shape_of(const Call<Int>& c) {
  return {c.output_batch,
          c.group,
          c.input_channel,
          c.output_channel,
          {Int(1), Int(1), Int(1), Int(1), Int(1), Int(0)},
          {c.input_h, c.output_h, c.kernel_h, c.stride_h, c.dilation_h, c.pad_u},
          {c.input_w, c.output_w, c.kernel_w, c.stride_w, c.dilation_w, c.pad_l}};
}

/// Elements of one im2col row of one group: a tap's input channels, taps outermost.
template <class Int>
Int row_elems(const Call<Int>& c) {
  return c.kernel_h * c.kernel_w * floor_div(c.input_channel, c.group);
}

/// Bytes of one im2col row of one group.
template <class Int>
Int row_bytes(const Call<Int>& c) {
  return row_elems(c) * c.elem_bytes;
}

/// Smallest buffer_size, in bytes, that the document admits: two rows, so that a chunk holds at least one.
template <class Int>
Int buffer_limit(const Call<Int>& c) {
  return Int(2) * row_bytes(c);
}

/// Bytes of the half of the buffer that bounds a chunk.
template <class Int>
Int half_buffer(const Call<Int>& c) {
  return floor_div(c.buffer_size, Int(2));
}

/// Output positions that one chunk holds; at least 1 for a valid call.
template <class Int>
Int chunk(const Call<Int>& c) {
  return floor_div(half_buffer(c), row_bytes(c));
}

/// Elements of dW as the document counts them: Cout * Kh * Kw * (Cin / G).
template <class Int>
Int dw_elems(const Call<Int>& c) {
  return c.output_channel * row_elems(c);
}

/// Bytes of workspace that chunks need: the field counts bytes, the allocation floats.
template <class Int>
Int chunk_workspace(const Call<Int>& c) {
  return c.buffer_size * Int(kFloatBytes);
}

/// Bytes of workspace that the float partials of all cores need.
template <class Int>
Int partial_workspace(const Call<Int>& c) {
  return c.core_num * dw_elems(c) * Int(kFloatBytes);
}

/// Workspace in bytes as the document states it: max(buffer_size * 4, core_num * dw_elems * 4).
template <class Int>
Int documented_workspace(const Call<Int>& c) {
  return max(chunk_workspace(c), partial_workspace(c));
}

/// Workspace in bytes that is enough even if every core keeps scratch and a partial in it.
template <class Int>
Int safe_workspace(const Call<Int>& c) {
  return c.core_num * (chunk_workspace(c) + dw_elems(c) * Int(kFloatBytes));
}

/// Byte offset in the workspace of the partial of a core, given its rank among the cores taking part.
template <class Int>
Int partial_offset(const Call<Int>& c, const Int& logical_id) {
  return logical_id * dw_elems(c) * Int(kFloatBytes);
}

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

/// The call that asks for a 2D shape: bottom and right pads are those that follow from the shape, a negative
/// one given as 0. Requires depth to be kNoAxis.
Call<std::int64_t> call_of(const Shape&, std::int64_t elem_bytes, std::int64_t core_num,
                           std::int64_t buffer_size);

}  // namespace wgradcheck::spec
