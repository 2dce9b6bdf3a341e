#pragma once
#include <cstdint>

#include "spec/shape.hpp"

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

/// The same call in another integer.
template <class Int>
Call<Int> as(const Call<std::int64_t>& c) {
  return {c.output_batch,  c.input_batch,    c.input_h,    c.input_w,  c.output_h, c.output_w,
          c.input_channel, c.output_channel, c.kernel_h,   c.kernel_w, c.group,    c.pad_l,
          c.pad_u,         c.dilation_h,     c.dilation_w, c.stride_h, c.stride_w, c.buffer_size,
          c.pad_d,         c.pad_r,          c.elem_bytes, c.core_num, c.limit};
}

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

/// The call that asks for a 2D shape: bottom and right pads are those that follow from the shape, a negative
/// one given as 0. Requires depth to be kNoAxis.
Call<std::int64_t> call_of(const Shape&, std::int64_t elem_bytes, std::int64_t core_num,
                           std::int64_t buffer_size);

}  // namespace wgradcheck::spec
