#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "spec/shape.hpp"

namespace wgradcheck::check {

enum class DType { f32, f16, bf16 };

/// Bytes of one element.
constexpr std::int64_t size_of(DType t) { return t == DType::f32 ? 4 : 2; }

/// What a kernel's bias argument holds, if anything: nothing (NULL), one element a column of the matrix
/// product (kh*kw*Ci'), or one an output channel.
enum class Bias { none, column, per_output };

/// Where a buffer lies in its guarded slot. The guard page touches the buffer's end or its start; `aligned`
/// puts its start on a 64-byte boundary and `least` on what must be its alignment and on no larger power of
/// two, both as near to the guard page after it as that allows.
enum class Placement { flush_end, flush_start, aligned, least };
inline constexpr std::array kPlacements{Placement::flush_end, Placement::flush_start, Placement::least,
                                        Placement::aligned};

/// Ints of ConvParameter that are handed over with other values than the shape's, to see the call refused.
struct Tamper {
  std::uint32_t fields = 0;               ///< bit i: the one at place i in the documents' order
  std::array<std::int32_t, 20> values{};  ///< by place; 0 where none is handed over
  bool operator==(const Tamper&) const = default;

  bool any() const { return fields != 0; }
  bool has(std::size_t place) const { return (fields >> place & 1) != 0; }
  void set(std::size_t place, std::int32_t value) {
    fields |= std::uint32_t{1} << place;
    values[place] = value;
  }
  void clear(std::size_t place) {
    fields &= ~(std::uint32_t{1} << place);
    values[place] = 0;
  }
};

/// One run of one kernel. Together with the kernel it determines every byte the kernel is given.
struct Case {
  spec::Shape shape;
  DType dtype = DType::f32;
  std::uint32_t core_mask = 1;  ///< bit i set: physical core i takes part; a host kernel's threads, counted
  std::int64_t buffer = 0;      ///< ConvParameter's buffer_size_, bytes
  std::int64_t workspace = 0;   ///< bytes allocated for the workspace; a host kernel says how many it needs
  Bias bias = Bias::none;
  Placement placement = Placement::flush_end;
  Tamper tamper{};
  bool host = false;                ///< it may be 3D, on threads or cores that are counted alone
  bool ascend = false;              ///< called as an Ascend kernel: packed tensors, dW in float; host too
  bool accumulate = true;           ///< of a host kernel: the sum is added to dW
  std::int64_t implementation = 0;  ///< of a host kernel: which; of Ascend: how cut
  std::int64_t align = 0;       ///< bytes that every buffer's start is a multiple of; 0: its element's size
  std::int64_t read_slack = 0;  ///< bytes after dy, x, dW and bias that may be read (they hold NaN)
  int magnitude = 0;            ///< of the data: integers in [-magnitude, magnitude]; 0: as exactness allows
  std::uint64_t seed = 0;       ///< of the data; a case with the same seed holds the same numbers
  bool operator==(const Case&) const = default;

  int cores() const { return std::popcount(core_mask); }
  DType dw_type() const { return ascend ? DType::f32 : dtype; }
};

/// Elements of the bias buffer; 0 when there is none.
inline std::int64_t bias_elems(const Case& c) {
  const spec::Shape& s = c.shape;
  switch (c.bias) {
    case Bias::none:
      return 0;
    case Bias::column:
      return s.depth.kernel * s.height.kernel * s.width.kernel * spec::in_per_group(s);
    case Bias::per_output:
      return s.out_channels;
  }
  return 0;
}

}  // namespace wgradcheck::check
