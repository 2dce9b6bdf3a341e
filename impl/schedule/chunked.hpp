#pragma once
#include "impl/schedule/block.hpp"
#include "spec/index.hpp"

/// The document's general path: im2col of a chunk of positions, matrix product, for each image.
namespace wgradcheck::impl {

/// A stretch of a chunk that one tap reads from one row of x: `count` pixels of `channels` channels each. For
/// pixel i the offsets are x + i * x_step in x, dy + i * Cout in dy (row 0 of the block); in the packed
/// chunk, a matrix [positions][columns of the block], it begins at row + i, col.
template <class Int>
struct Stretch {
  Term<Int> first;
  Int count, channels, x, x_step, dy, row, col;
};

/// Positions that a chunk holds when only `cols` columns are packed: spec::chunk with cols for a whole row.
template <class Int>
Int chunk_of(const spec::Call<Int>& c, const Int& cols) {
  return spec::floor_div(spec::half_buffer(c), cols * c.elem_bytes);
}

/// Calls visit(stretch) for each stretch of positions [m.first, m.last) of image n that a tap of the block's
/// columns reads inside the input. Padded taps belong to none.
template <class Env, class Int, class Visit>
void each_stretch(Env& env, const spec::BasicShape<Int>& s, const Block<Int>& b, const Int& n,
                  const Range<Int>& m, const Visit& visit) {
  const Int ci = spec::in_per_group(s);
  const Int ow = s.width.output;
  env.loop({spec::floor_div(b.cols.first, ci), spec::ceil_div(b.cols.last, ci)}, [=, &env](const Int& tap) {
    const Int kh = spec::floor_div(tap, s.width.kernel);
    const Int kw = tap - kh * s.width.kernel;
    const Range<Int> channels = meet({Int(0), ci}, shifted(b.cols, Int(0) - tap * ci));
    const Range<Int> lines =
        meet(touched(s.height, kh), {spec::floor_div(m.first, ow), spec::ceil_div(m.last, ow)});
    const Int col = tap * ci + channels.first - b.cols.first;
    env.loop(lines, [=, &env](const Int& oh) {
      const Range<Int> reads = meet(touched(s.width, kw), shifted(m, Int(0) - oh * ow));
      env.unless_empty(reads, [=](const Range<Int>& run) {
        const Int x = spec::x_offset(s, n, Int(0), spec::input_at(s.height, oh, kh),
                                     spec::input_at(s.width, run.first, kw), b.group, channels.first);
        const Int dy = spec::dy_offset(s, n, Int(0), oh, run.first, b.group, b.rows.first);
        visit(Stretch<Int>{{n, oh, run.first, kh, kw, b.group, b.rows.first, channels.first},
                           length(run),
                           length(channels),
                           x,
                           s.width.stride * s.in_channels,
                           dy,
                           oh * ow + run.first - m.first,
                           col});
      });
    });
  });
}

/// Adds the block's products into env's sums, [length(rows)][length(cols)]. Needs chunk_of(c, length(cols))
/// of at least 1. A padded tap's term is 0 even where dy is not finite: such a chunk is added stretch by
/// stretch, since a packed zero times infinity is not 0.
template <class Env, class Int = typename Env::Int>
void chunked(Env& env, const spec::Call<Int>& c, const Block<Int>& b) {
  const spec::BasicShape<Int> s = spec::shape_of(c);
  const Int rows = length(b.rows);
  const Int cols = length(b.cols);
  const Range<Int> plane{Int(0), s.height.output * s.width.output};
  env.loop(b.images, [=, &env](const Int& n) {
    env.tiles(plane, chunk_of(c, cols), [=, &env](const Range<Int>& m) {
      const Term<Int> first{n, Int(0), m.first, Int(0), Int(0), b.group, b.rows.first, Int(0)};
      const Int dy = spec::dy_offset(s, n, Int(0), Int(0), m.first, b.group, b.rows.first);
      env.either(
          env.finite(first, length(m), rows, dy),
          [=, &env] {
            env.clear(length(m) * cols);
            each_stretch(env, s, b, n, m, [=, &env](const Stretch<Int>& r) {
              env.stage(r.first, r.count, r.channels, r.x, r.x_step, r.row, r.col, cols);
            });
            env.product(first, rows, cols, length(m), dy, cols, Int(0));
          },
          [=, &env] {
            each_stretch(env, s, b, n, m, [=, &env](const Stretch<Int>& r) {
              env.stage(r.first, r.count, r.channels, r.x, r.x_step, Int(0), Int(0), r.channels);
              env.product(r.first, rows, r.channels, r.count, r.dy, r.channels, r.col);
            });
          });
    });
  });
}

}  // namespace wgradcheck::impl
