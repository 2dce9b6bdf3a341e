#pragma once
#include "impl/schedule/cube_blocks.hpp"
#include "proofs/digits.hpp"
#include "proofs/obligation.hpp"
#include "proofs/schedule/prove.hpp"

/// How Ascend's schedule shares all of a gradient among cores, in blocks.
namespace wgradcheck::proofs::cube {

/// A gradient in blocks of sixteen channels, and how large the blocks of work are: rows, and sixteens of
/// either side's channels.
template <class Int>
struct Gradient {
  impl::cube::Job<Int> job;
  Int outs, ins, block_outs, block_ins, taps, cores;

  impl::Work<Int> counts() const { return impl::cube::counts_of(job); }
};

template <class Reading>
Gradient<IntOf<Reading>> given_gradient(Reading& p) {
  using Int = IntOf<Reading>;
  const Int one = 1, none = 0;
  const auto batch = at_least(p, 1, "batch"), rows = at_least(p, 1, "oh"), kh = at_least(p, 1, "kh"),
             kw = at_least(p, 1, "kw"), ins = at_least(p, 1, "in_blocks"),
             outs = at_least(p, 1, "out_blocks"), block_rows = at_least(p, 1, "block.rows"),
             block_outs = at_least(p, 1, "block.outs"), block_ins = at_least(p, 1, "block.ins"),
             cores = at_least(p, 1, "cores");
  const auto depth = given_axis(p, "depth.");
  const Int taps = kh * kw;
  p.use(positive(kh, kw));
  p.use(positive(block_ins, taps));
  p.use(positive(ins, taps));
  const Gradient<Int> g{{{batch,
                          one,
                          ins * kLanes,
                          outs * kLanes,
                          depth,
                          {one, rows, kh, one, one, none},
                          {one, one, kw, one, one, none}},
                         block_rows,
                         block_outs * kLanes,
                         block_ins * kLanes * taps},
                        outs,
                        ins,
                        block_outs,
                        block_ins,
                        taps,
                        cores};
  p.use(quotient(none, 0 - rows, block_rows));
  p.use(quotient(none, 0 - g.job.s.out_channels, g.job.channels));
  p.use(quotient(none, 0 - impl::cube::columns_of(g.job.s), g.job.columns));
  const auto counts = g.counts();
  p.claim("a block of each", 1 <= counts.rows && 1 <= counts.m && 1 <= counts.cols);
  return g;
}

}  // namespace wgradcheck::proofs::cube
