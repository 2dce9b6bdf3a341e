#pragma once
#include "impl/partition.hpp"
#include "impl/schedule/cube_tiles.hpp"

/// How cores share all of Ascend's gradient: in blocks, each of one (n, do, kd).
namespace wgradcheck::impl::cube {

/// Output rows, output channels and columns (c1, kh, kw, c0) of one (n, do, kd), counted one by one.
template <class Int>
struct Block {
  Int n, depth, kd;
  Range<Int> rows, channels, columns;
};

/// A gradient of one group whose channels are counted with their padding, and the most rows, channels and
/// columns of a block.
template <class Int>
struct Job {
  spec::BasicShape<Int> s;
  Int rows, channels, columns;
};

template <class Int>
Int columns_of(const spec::BasicShape<Int>& s) {
  return s.in_channels * s.height.kernel * s.width.kernel;
}

/// How many blocks there are of each.
template <class Int>
Work<Int> counts_of(const Job<Int>& job) {
  const spec::BasicShape<Int>& s = job.s;
  return {tiles_of(s.height.output, job.rows),
          s.batch,
          s.depth.output,
          s.depth.kernel,
          tiles_of(s.out_channels, job.channels),
          tiles_of(columns_of(s), job.columns)};
}

/// The block of a piece of work.
template <class Int>
Block<Int> block_at(const Job<Int>& job, const Work<Int>& w) {
  const spec::BasicShape<Int>& s = job.s;
  return {w.n,
          w.depth,
          w.kd,
          tile_range(s.height.output, job.rows, w.rows),
          tile_range(s.out_channels, job.channels, w.m),
          tile_range(columns_of(s), job.columns, w.cols)};
}

/// Calls visit(block) unless the block meets padding alone.
template <class Env, class Int, class Visit>
void unless_padding(Env& env, const Job<Int>& job, const Block<Int>& b, const Visit& visit) {
  const Int meets = spec::Arith<Int>::pick(spec::touches(job.s.depth, b.depth, b.kd), Int(1), Int(0));
  env.unless_empty({Int(0), meets}, [=](const Range<Int>&) { visit(b); });
}

/// Calls visit(block) for a core's stretch of the list of all blocks.
template <class Env, class Int, class Visit>
void each_shared_block(Env& env, const Job<Int>& job, const Int& cores, const Int& core, const Visit& visit) {
  const Work<Int> counts = counts_of(job);
  const Int all = counts.rows * counts.n * counts.depth * counts.kd * counts.m * counts.cols;
  env.loop(part(all, cores, core), [=, &env](const Int& place) {
    unless_padding(env, job, block_at(job, work_at(counts, place)), visit);
  });
}

/// The same for the parts of dW that a core owns: of each in turn all blocks, images, depths and rows
/// ascending.
template <class Env, class Int, class Visit>
void each_owned_block(Env& env, const Job<Int>& job, const Int& cores, const Int& core, const Visit& visit) {
  const Work<Int> counts = counts_of(job);
  const Work<Int> parts{Int(1), Int(1), Int(1), counts.kd, counts.m, counts.cols};
  env.loop(part(counts.kd * counts.m * counts.cols, cores, core), [=, &env](const Int& place) {
    const Work<Int> own = work_at(parts, place);
    env.loop({Int(0), counts.n}, [=, &env](const Int& n) {
      env.loop({Int(0), counts.depth}, [=, &env](const Int& depth) {
        env.loop({Int(0), counts.rows}, [=, &env](const Int& rows) {
          unless_padding(env, job, block_at(job, {rows, n, depth, own.kd, own.m, own.cols}), visit);
        });
      });
    });
  });
}

/// Input channel that a block begins with, and the first row of x that its first row may read.
template <class Int>
Int first_channel(const Job<Int>& job, const Block<Int>& b) {
  return spec::floor_div(b.columns.first, job.s.height.kernel * job.s.width.kernel);
}
template <class Int>
Int first_input_row(const spec::Axis<Int>& height, const Int& first_row) {
  return spec::max(Int(0), spec::input_at(height, first_row, Int(0)));
}

/// Offsets in dy, x and dW at which a block's operands and its sums begin.
template <class Int>
Int dy_base(const Job<Int>& job, const Block<Int>& b) {
  return spec::packed_dy_offset(job.s, b.n, b.depth, b.rows.first, Int(0), b.channels.first);
}
template <class Int>
Int x_base(const Job<Int>& job, const Block<Int>& b) {
  return spec::packed_x_offset(job.s, b.n, spec::input_at(job.s.depth, b.depth, b.kd),
                               first_input_row(job.s.height, b.rows.first), Int(0), first_channel(job, b));
}
template <class Int>
Int dw_base(const Job<Int>& job, const Block<Int>& b) {
  return spec::packed_dw_offset(job.s, b.channels.first, b.kd, Int(0), Int(0), first_channel(job, b));
}

}  // namespace wgradcheck::impl::cube
