#pragma once
#include <cstdint>
#include <vector>

#include "impl/bfloat.hpp"
#include "impl/half.hpp"
#include "impl/ranges.hpp"

/// The product that Conv3DBackpropFilter computes for one (n, do, kd), on the project's micro-kernels.
namespace wgradcheck::targets::ascend {

/// Operands of a product. `grad` is GradOutput at row first_row of the plane, [blocks][Ho][Wo][16]; `input`
/// is Input at row input_row, [blocks][Hi][Wi][16]. T is impl::Half or impl::Bfloat.
template <class T>
struct Operands {
  const T* grad;
  const T* input;
  spec::Axis<std::int64_t> height, width;
  std::int64_t first_row, input_row;
};

/// A tile of the product: output channels, columns (c1, kh, kw, c0), both in whole sixteens, and positions
/// (ho, wo) counted from first_row on.
struct Tile {
  impl::Range<std::int64_t> channels, columns;
  std::int64_t positions;
};

/// Packed slices of both operands, kept from one tile to the next.
struct Panels {
  std::vector<float> a, b;
};

/// sums[i][j] += the products of channel i and column j, rows of `sums` being as long as the tile has
/// columns. The term of a padded tap is 0 whatever GradOutput holds.
template <class T>
void add_tile(const Operands<T>&, const Tile&, Panels&, float* sums);

}  // namespace wgradcheck::targets::ascend
