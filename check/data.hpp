#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "check/case.hpp"

namespace wgradcheck::check {

/// The integers that fill one tensor, one an element. They are at most 2047 in magnitude.
using Integers = std::vector<std::int16_t>;

/// An element that holds Inf or NaN instead of its integer.
struct NonFinite {
  std::int64_t index = 0;
  double value = 0;
};

/// The numbers of one case. dw and bias are what the buffers hold before the call; bias is empty without one.
struct Data {
  Integers dy, x, dw, bias;
  std::vector<NonFinite> dy_non_finite;
};

/// How the numbers of a case are chosen.
struct Fill {
  /// Every partial sum of one element, in any order, is an integer below 2^exact_bits in magnitude: 24 for
  /// sums in float, 11 in binary16, 8 in bfloat16.
  int exact_bits = 24;
  bool non_finite = false;  ///< some elements of dy are Inf or NaN
};

/// The numbers of a case, a function of the case and the fill alone: dense signed integers, none of them
/// zero, as large as exactness allows. With more terms an element than exact_bits can count, dy is thinned
/// with zeros.
Data make_data(const Case&, const Fill&);

/// Writes integers, then the exceptions, to a tensor in the element type.
void write_tensor(DType, const Integers&, std::span<const NonFinite>, std::span<std::byte> tensor);

/// Index of the first element whose bits are not those that write_tensor writes, or -1.
std::int64_t first_altered(DType, const Integers&, std::span<const NonFinite>,
                           std::span<const std::byte> tensor);

}  // namespace wgradcheck::check
