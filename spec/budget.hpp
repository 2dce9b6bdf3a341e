#pragma once
#include "spec/call.hpp"

/// The sizes that the documents derive from a call: rows, chunks and workspace.
namespace wgradcheck::spec {

inline constexpr int kFloatBytes = 4;  ///< partials are float whatever the element type

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

}  // namespace wgradcheck::spec
