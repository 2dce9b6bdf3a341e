#pragma once
#include <string_view>
#include <utility>

#include "proofs/statement.hpp"
#include "spec/index.hpp"
#include "spec/rules.hpp"

/// What obligations are given: any axis, any shape, any valid call.
namespace wgradcheck::proofs {

/// The integer of a reading.
template <class Reading>
using IntOf = decltype(std::declval<Reading&>().integer(""));

/// An integer that is at least `least`.
template <class Reading>
auto at_least(Reading& p, int least, const Label& name) {
  const auto value = p.integer(name);
  p.assume(name, value >= least);
  return value;
}

/// An index: 0 <= index < extent.
template <class Reading>
auto index_below(Reading& p, const Label& name, const IntOf<Reading>& extent) {
  const auto index = p.integer(name);
  p.assume(name, 0 <= index && index < extent);
  return index;
}

/// Any axis: sizes, stride and dilation at least 1, padding at least 0.
template <class Reading>
spec::Axis<IntOf<Reading>> given_axis(Reading& p, std::string_view prefix = "") {
  const auto kernel = at_least(p, 1, {prefix, "kernel"}), stride = at_least(p, 1, {prefix, "stride"}),
             dilation = at_least(p, 1, {prefix, "dilation"}), pad = at_least(p, 0, {prefix, "pad_before"}),
             output = at_least(p, 1, {prefix, "output"}), input = at_least(p, 1, {prefix, "input"});
  return {.input = input,
          .output = output,
          .kernel = kernel,
          .stride = stride,
          .dilation = dilation,
          .pad_before = pad};
}

/// Any shape of three axes whose groups divide both channel counts. Each valid call describes one.
template <class Reading>
spec::BasicShape<IntOf<Reading>> given_shape(Reading& p) {
  const auto depth = given_axis(p, "depth."), height = given_axis(p, "height."),
             width = given_axis(p, "width.");
  const auto batch = at_least(p, 1, "batch"), groups = at_least(p, 1, "groups"),
             in_channels = at_least(p, 1, "in_channels"), out_channels = at_least(p, 1, "out_channels");
  const spec::BasicShape<IntOf<Reading>> shape{.batch = batch,
                                               .groups = groups,
                                               .in_channels = in_channels,
                                               .out_channels = out_channels,
                                               .depth = depth,
                                               .height = height,
                                               .width = width};
  p.assume("groups divide in_channels", in_per_group(shape) * groups == in_channels);
  p.assume("groups divide out_channels", out_per_group(shape) * groups == out_channels);
  return shape;
}

/// Any call at all, of float or of float16 elements. A witness is minimised in the order of declaration: the
/// channels and the buffer come late, since they tell best what a broken limit asks for.
template <class Reading>
spec::Call<IntOf<Reading>> any_call(Reading& p) {
  const auto core_num = p.integer("core_num"), elem_bytes = p.integer("elem_bytes");
  p.assume("elements are float or float16", elem_bytes == 2 || elem_bytes == 4);
  const auto kernel_h = p.integer("kernel_h_"), kernel_w = p.integer("kernel_w_"),
             stride_h = p.integer("stride_h_"), stride_w = p.integer("stride_w_"),
             dilation_h = p.integer("dilation_h_"), dilation_w = p.integer("dilation_w_"),
             pad_l = p.integer("pad_l_"), pad_u = p.integer("pad_u_"), pad_d = p.integer("pad_d_"),
             pad_r = p.integer("pad_r_"), output_batch = p.integer("output_batch_"),
             input_batch = p.integer("input_batch_"), output_h = p.integer("output_h_"),
             output_w = p.integer("output_w_"), input_h = p.integer("input_h_"),
             input_w = p.integer("input_w_"), group = p.integer("group_"),
             input_channel = p.integer("input_channel_"), output_channel = p.integer("output_channel_"),
             buffer_size = p.integer("buffer_size_"), limit = p.integer("limit");
  return {.output_batch = output_batch,
          .input_batch = input_batch,
          .input_h = input_h,
          .input_w = input_w,
          .output_h = output_h,
          .output_w = output_w,
          .input_channel = input_channel,
          .output_channel = output_channel,
          .kernel_h = kernel_h,
          .kernel_w = kernel_w,
          .group = group,
          .pad_l = pad_l,
          .pad_u = pad_u,
          .dilation_h = dilation_h,
          .dilation_w = dilation_w,
          .stride_h = stride_h,
          .stride_w = stride_w,
          .buffer_size = buffer_size,
          .pad_d = pad_d,
          .pad_r = pad_r,
          .elem_bytes = elem_bytes,
          .core_num = core_num,
          .limit = limit};
}

/// Any call that the admission test lets pass: spec::valid, condition by condition, but for the one on a
/// field that is left out, if any.
template <class Reading>
spec::Call<IntOf<Reading>> valid_call(Reading& p, std::string_view without = "",
                                      std::string_view reason = "") {
  const auto call = any_call(p);
  each_condition(call, [&](std::string_view field, std::string_view why, auto condition) {
    if (field != without || why.find(reason) == std::string::npos) p.assume({field, " ", why}, condition());
  });
  return call;
}

}  // namespace wgradcheck::proofs
