#pragma once
#include <algorithm>
#include <type_traits>

#include "impl/loops.hpp"
#include "impl/schedule/block.hpp"
#include "impl/simd/kernels.hpp"
#include "spec/rules.hpp"

namespace wgradcheck::impl {

/// The environment in which a schedule runs: loops are loops, and each operation is a micro-kernel on memory.
/// Offsets and steps count elements, extents are at least 1. `first` is the term of an operation's first
/// product, for proofs alone.
template <class T>
class Run : public Loops {
 public:
  /// Where a block works: sums is its part of dW in float, row i beginning at sums.at + i * sums.step;
  /// scratch holds a packed chunk. `finite` says that all of dy is known to be finite.
  struct Memory {
    const T* dy;
    const T* x;
    simd::Matrix<float> sums;
    float* scratch;
    bool finite;
  };

  Run(const spec::Call<Int>& call, const Memory& memory)
      : memory_(memory),
        dy_pixel_(call.output_channel),
        x_pixel_(call.input_channel),
        dy_row_(call.output_w * call.output_channel),
        x_row_(call.stride_h * call.input_w * call.input_channel),
        x_step_(call.stride_w * call.input_channel) {}

  /// Whether dy[dy + p * Cout + i] is finite for p in [0, positions), i in [0, rows). The positions run on
  /// from first's inside its image.
  bool finite(const Term<Int>&, Int positions, Int rows, Int dy) const {
    return memory_.finite || simd::all_finite<T>(positions, rows, {memory_.dy + dy, dy_pixel_});
  }
  /// scratch[i] = 0 for i in [0, count).
  void clear(Int count) { std::fill_n(memory_.scratch, count, 0.0f); }
  /// scratch[(row + i) * step + col + j] = x[x + i * x_step + j] for i in [0, count), j in [0, channels):
  /// what output ow + i of first reads of channel ci + j.
  void stage(const Term<Int>&, Int count, Int channels, Int x, Int x_step, Int row, Int col, Int step) {
    simd::copy<T>(count, channels, {memory_.x + x, x_step}, {memory_.scratch + row * step + col, step});
  }
  /// sums[i][col + j] += sum over p in [0, depth) of dy[dy + p * Cout + i] * scratch[p * step + j] for i in
  /// [0, rows), j in [0, cols). The positions run on from first's inside its image.
  void product(const Term<Int>&, Int rows, Int cols, Int depth, Int dy, Int step, Int col) {
    simd::add_product<T>(rows, cols, depth, {memory_.dy + dy, dy_pixel_}, {memory_.scratch, step},
                         {memory_.sums.at + col, memory_.sums.step});
  }
  /// sums[i][j] += sum over p in [0, depth) of dy[dy + p * Cout + i] * x[x + p * Cin + j]: the positions run
  /// on from first's, through images too.
  void product_in_place(const Term<Int>&, Int rows, Int cols, Int depth, Int dy, Int x)
    requires std::is_same_v<T, float>
  {
    simd::add_product<T>(rows, cols, depth, {memory_.dy + dy, dy_pixel_}, {memory_.x + x, x_pixel_},
                         memory_.sums);
  }
  /// sums[row + l][col] += sum over i in [0, rows), j in [0, cols) of channel l of dy's and x's pixels, for l
  /// in [0, channels). Pixels lie as in dy and, at the convolution's stride, in x; channel 0 of the first is
  /// at dy, x. Lane l, i, j is of group g + l and output oh + i, ow + j of first.
  void channel_products(const Term<Int>&, Int channels, Int rows, Int cols, Int dy, Int x, Int row, Int col) {
    simd::add_channel_products<T>(channels, rows, cols, {memory_.dy + dy, dy_row_, dy_pixel_},
                                  {memory_.x + x, x_row_, x_step_},
                                  memory_.sums.at + row * memory_.sums.step + col, memory_.sums.step);
  }
  /// Channels worth working on at a time: all of a pixel's that a few cache lines hold.
  static Int channel_tile() { return 64; }
  /// Rows of a plane that every tap reads in turn, few enough to stay in the cache meanwhile.
  Int line_tile() const { return std::max<Int>(1, 64 * dy_pixel_ / dy_row_); }

 private:
  Memory memory_;
  Int dy_pixel_, x_pixel_, dy_row_, x_row_, x_step_;
};

}  // namespace wgradcheck::impl
