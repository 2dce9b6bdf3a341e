#pragma once
#include "impl/schedule/block.hpp"
#include "spec/index.hpp"

/// The document's 1x1 path: x is the matrix already, a pixel a row, and is read in place.
namespace wgradcheck::impl {

/// Adds the block's products into env's sums, [length(rows)][length(cols)]. Requires spec::is_pointwise(c).
template <class Env, class Int = typename Env::Int>
void pointwise(Env& env, const spec::Call<Int>& c, const Block<Int>& b) {
  const spec::BasicShape<Int> s = spec::shape_of(c);
  env.unless_empty(b.images, [=, &env](const Range<Int>& some) {
    env.product_in_place({some.first, Int(0), Int(0), Int(0), Int(0), Int(0), b.rows.first, b.cols.first},
                         length(b.rows), length(b.cols), length(some) * s.height.output * s.width.output,
                         spec::dy_offset(s, some.first, Int(0), Int(0), Int(0), Int(0), b.rows.first),
                         spec::x_offset(s, some.first, Int(0), Int(0), Int(0), Int(0), b.cols.first));
  });
}

}  // namespace wgradcheck::impl
