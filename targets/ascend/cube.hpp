#pragma once
#include <cstdint>
#include <vector>

#include "impl/bfloat.hpp"
#include "impl/half.hpp"
#include "impl/schedule/cube_tiles.hpp"

/// The product that Conv3DBackpropFilter computes for one (n, do, kd), on the project's micro-kernels.
namespace wgradcheck::targets::ascend {

/// Operands where the product begins to read them: `grad` is GradOutput, `input` is Input. T is impl::Half or
/// impl::Bfloat.
template <class T>
struct Operands {
  const T* grad;
  const T* input;
};

/// Packed slices of both operands, kept from one tile to the next.
struct Panels {
  std::vector<float> a, b;
};

/// sums[i][j] = the products of channel i and column j, rows of `sums` being as long as the tile has columns.
/// The term of a padded tap is 0 whatever GradOutput holds.
template <class T>
void sum_tile(const Operands<T>&, const impl::cube::Plane<std::int64_t>&,
              const impl::cube::Tile<std::int64_t>&, Panels&, float* sums);

/// Adds sums that lie one way to those that lie another way, or stores them; at once with what other cores
/// add, or alone.
enum class Adding { none, alone, atomic };
void move_tile(const impl::cube::Tile<std::int64_t>&, const float* from,
               const impl::cube::Sums<std::int64_t>&, float* to, const impl::cube::Sums<std::int64_t>&,
               Adding);

}  // namespace wgradcheck::targets::ascend
