#pragma once
#include "proofs/cube/blocks.hpp"

/// Parts of a gradient that blocks have, and the work that has each.
namespace wgradcheck::proofs::cube {

/// Part of a gradient that one block has: an image, depths, an output row, and a block of channels on either
/// side.
template <class Int>
struct Item {
  Int n, d, kd, oh, out, in;
};

/// The work that has an item.
template <class Int>
impl::Work<Int> owner_of(const Gradient<Int>& g, const Item<Int>& t) {
  return {impl::tile_with(g.job.rows, t.oh), t.n, t.d, t.kd, impl::tile_with(g.block_outs, t.out),
          impl::tile_with(g.block_ins, t.in)};
}

/// Any item whose tap of depth meets an input.
template <class Reading>
Item<IntOf<Reading>> given_item(Reading& p, const Gradient<IntOf<Reading>>& g) {
  const auto& s = g.job.s;
  const auto n = index_below(p, "n", s.batch), d = index_below(p, "d", s.depth.output),
             kd = index_below(p, "kd", s.depth.kernel), oh = index_below(p, "row", s.height.output),
             out = index_below(p, "out", g.outs), in = index_below(p, "in", g.ins);
  p.assume("the tap touches depth", spec::touches(s.depth, d, kd));
  return {n, d, kd, oh, out, in};
}

/// Any item of a block that is visited.
template <class Reading>
Item<IntOf<Reading>> given_item_of(Reading& p, const Gradient<IntOf<Reading>>& g,
                                   const impl::cube::Block<IntOf<Reading>>& b) {
  const auto oh = p.integer("row"), out = p.integer("out"), in = p.integer("in");
  p.assume("a row of the block", impl::contains(b.rows, oh));
  p.assume("output channels of the block", impl::contains(b.channels, IntOf<Reading>(out * kLanes)));
  p.assume("columns of the block", impl::contains(b.columns, IntOf<Reading>(in * kLanes * g.taps)));
  return {b.n, b.depth, b.kd, oh, out, in};
}

/// The block has an item.
template <class Reading>
void claim_has(Reading& p, const Gradient<IntOf<Reading>>& g, const impl::cube::Block<IntOf<Reading>>& b,
               const Item<IntOf<Reading>>& t) {
  p.claim("its image and depths", b.n == t.n && b.depth == t.d && b.kd == t.kd);
  p.claim("its row", impl::contains(b.rows, t.oh));
  p.claim("its output channels", impl::contains(b.channels, IntOf<Reading>(t.out * kLanes)));
  p.claim("its columns", impl::contains(b.columns, IntOf<Reading>(t.in * kLanes * g.taps)));
}

/// The steps that show an item's own tiles to have it, and to be some of those that there are.
template <class Reading>
void claim_own(Reading& p, const Gradient<IntOf<Reading>>& g, const Item<IntOf<Reading>>& t) {
  const auto own = owner_of(g, t), counts = g.counts();
  for (const IntOf<Reading> next : {0, 1}) {
    p.use(quotient(own.rows + next, t.oh, g.job.rows));
    p.use(quotient(own.m + next, t.out, g.block_outs));
    p.use(quotient(own.cols + next, t.in, g.block_ins));
  }
  const IntOf<Reading> zero = 0, first = own.cols * g.block_ins;
  p.use(quotient(zero, t.oh, g.job.rows));
  p.use(quotient(zero, t.out, g.block_outs));
  p.use(quotient(zero, t.in, g.block_ins));
  p.use(monotone(first, t.in, g.taps));
  p.use(monotone(t.in + 1, IntOf<Reading>(first + g.block_ins), g.taps));
  p.use(monotone(t.in + 1, g.ins, g.taps));
  p.use(monotone(counts.rows, own.rows, g.job.rows));
  p.use(monotone(counts.m, own.m, g.job.channels));
  p.use(monotone(counts.cols, own.cols, g.job.columns));
  p.claim("a tile of rows", 0 <= own.rows && own.rows < counts.rows);
  p.claim("a tile of output channels", 0 <= own.m && own.m < counts.m);
  p.claim("a tile of columns", 0 <= own.cols && own.cols < counts.cols);
}

}  // namespace wgradcheck::proofs::cube
