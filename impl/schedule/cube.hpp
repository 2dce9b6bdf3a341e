#pragma once
#include "impl/schedule/block.hpp"
#include "spec/fractal.hpp"
#include "spec/index.hpp"

/// The product that Ascend's Conv3DBackpropFilter computes for one (n, do, kd): slices of positions, packed
/// and multiplied. Channels and columns (c1, kh, kw, c0) go by sixteens throughout.
namespace wgradcheck::impl::cube {

/// What is read: dy from output row first_row on, [blocks][Ho][Wo][16], and x from input row input_row on,
/// [blocks][Hi][Wi][16].
template <class Int>
struct Plane {
  spec::Axis<Int> height, width;
  Int first_row, input_row;
};

/// A tile of the product: blocks of output channels, sixteens of columns, and positions (ho, wo), all counted
/// from where the plane's operands begin.
template <class Int>
struct Tile {
  Range<Int> blocks, sixteens;
  Int positions;
};

/// What a sixteen of columns reads: a block of input channels through one tap.
template <class Int>
struct Column {
  Int block, kh, kw;
};

template <class Int>
Column<Int> column_at(const Plane<Int>& o, const Int& sixteen) {
  const Int line = spec::floor_div(sixteen, o.width.kernel);
  const Int block = spec::floor_div(line, o.height.kernel);
  return {block, line - block * o.height.kernel, sixteen - line * o.width.kernel};
}

/// Positions of a slice, from its `first` on, that a column reads from one row of x; the first is at x.
template <class Int>
struct Run {
  Int first, count, x;
};

/// Output rows that a slice has positions of.
template <class Int>
Range<Int> lines_of(const Plane<Int>& o, const Range<Int>& slice) {
  return {o.first_row + spec::floor_div(slice.first, o.width.output),
          o.first_row + spec::ceil_div(slice.last, o.width.output)};
}

/// Calls visit(run) for each run of positions of the slice that the column reads inside x.
template <class Env, class Int, class Visit>
void each_run(Env& env, const Plane<Int>& o, const Column<Int>& c, const Range<Int>& slice,
              const Visit& visit) {
  const Range<Int> inside = touched(o.width, c.kw);
  env.loop(lines_of(o, slice), [=, &env](const Int& oh) {
    const Int row = (oh - o.first_row) * o.width.output;
    const Range<Int> met = meet(inside, shifted(slice, Int(0) - row));
    const Int last = spec::Arith<Int>::pick(spec::touches(o.height, oh, c.kh), met.last, met.first);
    env.unless_empty({met.first, last}, [=](const Range<Int>& reads) {
      const Int y = spec::input_at(o.height, oh, c.kh) - o.input_row;
      const Int x = spec::input_at(o.width, reads.first, c.kw);
      visit(Run<Int>{row + reads.first - slice.first, length(reads),
                     ((c.block * o.height.input + y) * o.width.input + x) * Int(spec::kC0)});
    });
  });
}

/// How many rows of a slice's column must be 0 before its runs are packed: none where its first and last
/// lines and pixels lie inside x, and so do all between.
template <class Int>
Int zeros_of(const Plane<Int>& o, const Column<Int>& c, const Range<Int>& slice) {
  const Range<Int> lines = lines_of(o, slice);
  const auto whole = Int(0) <= spec::input_at(o.height, lines.first, c.kh) &&
                     spec::input_at(o.height, lines.last - Int(1), c.kh) < o.height.input &&
                     Int(0) <= spec::input_at(o.width, Int(0), c.kw) &&
                     spec::input_at(o.width, o.width.output - Int(1), c.kw) < o.width.input;
  return spec::Arith<Int>::pick(whole, Int(0), length(slice));
}

/// Sums a tile from zero: sums[i][j] of its channels and columns. A padded tap's term is 0 even where dy is
/// not finite: such a slice is added run by run, since a packed zero times infinity is not 0.
template <class Env, class Int = typename Env::Int>
void product(Env& env, const Plane<Int>& o, const Tile<Int>& t) {
  const Int lanes = spec::kC0, rows = length(t.blocks) * lanes, cols = length(t.sixteens) * lanes;
  const Int plane = o.height.output * o.width.output * lanes;
  const Int step = o.width.stride * lanes;
  env.clear_sums(rows, cols);
  env.tiles({Int(0), t.positions}, env.slice_tile(), [=, &env](const Range<Int>& slice) {
    env.loop(t.blocks, [=, &env](const Int& block) {
      env.stage_dy(length(slice), block * plane + slice.first * lanes, (block - t.blocks.first) * lanes,
                   rows);
    });
    env.either(
        env.finite_panel(length(slice), rows),
        [=, &env] {
          env.loop(t.sixteens, [=, &env](const Int& sixteen) {
            const Column<Int> column = column_at(o, sixteen);
            const Int at = (sixteen - t.sixteens.first) * lanes;
            env.zero_x(zeros_of(o, column, slice), at, cols);
            each_run(env, o, column, slice,
                     [=, &env](const Run<Int>& r) { env.stage_x(r.count, r.x, step, r.first, at, cols); });
          });
          env.multiply(rows, cols, length(slice), Int(0), Int(0), cols);
        },
        [=, &env] {
          env.loop(t.sixteens, [=, &env](const Int& sixteen) {
            const Int at = (sixteen - t.sixteens.first) * lanes;
            each_run(env, o, column_at(o, sixteen), slice, [=, &env](const Run<Int>& r) {
              env.stage_x(r.count, r.x, step, Int(0), Int(0), lanes);
              env.multiply(rows, lanes, r.count, r.first, at, cols);
            });
          });
        });
  });
}

}  // namespace wgradcheck::impl::cube
