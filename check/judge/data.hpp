#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "check/case.hpp"
#include "check/executor.hpp"

namespace wgradcheck::check {

/// The integers that fill one tensor, one an element.
using Integers = std::vector<std::int16_t>;

/// An element that holds Inf, NaN or -0 instead of its integer, which is 0 where it holds -0.
struct Special {
  std::int64_t index = 0;
  double value = 0;
};

/// The numbers of one case. dw and bias are what the buffers hold before the call; bias is empty without one.
struct Data {
  Integers dy, x, dw, bias;
  std::vector<Special> dy_special, x_special, dw_special;
  int scale = 0;      ///< elements of dy and x are their integers times 2^-scale
  bool exact = true;  ///< every partial sum is exact; otherwise sums round
  int tiny = 0;       ///< those of x, dW and bias are smaller by 2^-tiny
};

/// The integers of dy, x, dW or bias.
const Integers& integers_of(const Data&, BufferId);

/// The elements of dy, x, dW or bias are their integers times 2^-scale, special ones apart.
int scale_of(const Data&, BufferId);

/// The value of an element of dy, x, dW or bias.
double element_of(const Data&, BufferId, std::int64_t index);

/// Whether some elements hold Inf, NaN or -0.
inline bool is_special(const Data& d) {
  return !d.dy_special.empty() || !d.x_special.empty() || !d.dw_special.empty();
}

/// Whether those are -0 alone.
inline bool is_of_zeros(const Data& d) {
  const auto zero = [](const Special& s) { return s.value == 0; };
  return is_special(d) && d.dw_special.empty() && std::ranges::all_of(d.dy_special, zero) &&
         std::ranges::all_of(d.x_special, zero);
}

/// How the numbers of a case are chosen.
struct Fill {
  /// Every partial sum of one element, in any order, is an integer below 2^exact_bits in magnitude: 24 for
  /// sums in float, 11 in binary16, 8 in bfloat16.
  int exact_bits = 24;
  bool non_finite =
      false;  ///< two elements of dy, of x or of dW are Inf or NaN, or one of dy and x each is -0
  bool subnormal = false;  ///< x, dW and bias are subnormal numbers, on which every sum is exact
  bool rounds = false;  ///< elements use their type's whole precision, so that sums round; exact_bits is moot
  /// With `rounds`: a sum of two products of opposite sign and many equal small ones, each of which is lost
  /// where it is added to a large one in an accumulator of so many bits (24, 11 or 8). The error tells how
  /// many additions of one product lie between the two, wherever the kernel's order puts them; additions of
  /// sums that are not small lose little, so that blocks higher than promised need not show. 0: no such data.
  int masked = 0;
};

/// Whether data can be masked for an accumulator of so many significant bits.
constexpr bool can_mask(int bits) { return bits == 24 || bits == 11 || bits == 8; }

/// How the integers of one tensor are drawn: uniform over the non-zero ones in [-magnitude, magnitude], the
/// i-th from scrambled(stream, i).
struct Draw {
  std::uint64_t stream = 0;
  std::int64_t elems = 0, magnitude = 1;
};

/// How all numbers of a case are drawn, special and masked ones apart.
struct Recipe {
  Draw dy, x, dw, bias;
  int scale = 0;
  std::int64_t keep_every = 1;  ///< pixels of dy: the others are zeros
};

Recipe recipe_of(const Case&, const Fill&);

/// The numbers of a case, a function of the case and the fill alone: dense signed integers, none of them
/// zero, as large as exactness allows, or, where sums are to round, as the element type and its range allow.
/// With more terms an element than exact_bits can count, dy is thinned with zeros. They take the place of
/// other numbers, whose memory is used again, where such are given.
Data make_data(const Case&, const Fill&, Data room = {});

/// Fills the buffers of a call with these numbers, in the case's types.
void write_tensors(const Case&, const Data&, const Tensors&);

/// Index of the first element of dy, x, dW or bias whose bits are not those that write_tensors writes, or -1.
std::int64_t first_altered(DType, const Data&, BufferId, std::span<const std::byte> tensor);

}  // namespace wgradcheck::check
