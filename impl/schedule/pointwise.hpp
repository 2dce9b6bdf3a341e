#pragma once
#include "impl/schedule/block.hpp"
#include "spec/index.hpp"

/// The document's 1x1 path: x is the matrix already, a pixel a row, and is read in place.
namespace wgradcheck::impl {

/// Adds the block's products into env's sums, [length(rows)][length(cols)]. Requires spec::is_pointwise(c).
template <class Env, class Int = typename Env::Int>
void pointwise(Env& env, const spec::Call<Int>& c, const Block<Int>& b) {
  const spec::BasicShape<Int> s = spec::shape_of(c);
  const Int pixels = length(b.images) * s.height.output * s.width.output;
  env.product_in_place(length(b.rows), length(b.cols), pixels,
                       spec::dy_offset(s, b.images.first, Int(0), Int(0), Int(0), Int(0), b.rows.first),
                       spec::x_offset(s, b.images.first, Int(0), Int(0), Int(0), Int(0), b.cols.first));
}

}  // namespace wgradcheck::impl
