#pragma once
#include "proofs/cube/terms.hpp"

/// Tensors that have a tile.
namespace wgradcheck::proofs::cube {

/// The tensors of a gradient, and which blocks of channels of which image and depths of them a work has.
template <class Reading>
struct Tensors {
  using Int = IntOf<Reading>;

  spec::BasicShape<Int> s;
  Int out_blocks, in_blocks;
  Int n, d, kd, out, in;

  impl::cube::Job<Int> job() const {
    const Int none = 0;
    return {s, none, none, none};
  }
  impl::cube::Block<Int> block(const Work<Reading>& w) const {
    const Int none = 0;
    return {n, d, kd, w.rows, {out * kLanes, none}, {in * kLanes * s.height.kernel * s.width.kernel, none}};
  }
};

/// Any ones that have the tile.
template <class Reading>
Tensors<Reading> given_tensors(const Work<Reading>& w) {
  auto& p = w.p;
  const auto depth = given_axis(p, "depth.");
  const auto batch = at_least(p, 1, "batch"), n = index_below(p, "n", batch),
             d = index_below(p, "od", depth.output), kd = index_below(p, "kd", depth.kernel);
  p.assume("the tap touches depth", spec::touches(depth, d, kd));
  const auto out = at_least(p, 0, "out"), in = at_least(p, 0, "in"), out_blocks = p.integer("out_blocks"),
             in_blocks = at_least(p, 1, "in_blocks");
  p.assume("an output channel each", out + w.tile.blocks.last <= out_blocks);
  p.assume("a column each", w.tile.sixteens.last <= (in_blocks - in) * w.height.kernel * w.width.kernel);
  p.use(positive(w.height.kernel, w.width.kernel));
  const IntOf<Reading> one = 1;
  return {{batch, one, in_blocks * kLanes, out_blocks * kLanes, depth, w.height, w.width},
          out_blocks,
          in_blocks,
          n,
          d,
          kd,
          out,
          in};
}

}  // namespace wgradcheck::proofs::cube
