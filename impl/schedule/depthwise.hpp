#pragma once
#include "impl/schedule/block.hpp"
#include "spec/index.hpp"

/// The document's depthwise path: each channel with itself, directly, nothing packed.
namespace wgradcheck::impl {

/// Adds the block's products into env's sums, [length(rows)][length(cols)]: rows are channels, columns taps.
/// Requires spec::is_depthwise(c).
template <class Env, class Int = typename Env::Int>
void depthwise(Env& env, const spec::Call<Int>& c, const Block<Int>& b) {
  const spec::BasicShape<Int> s = spec::shape_of(c);
  env.tiles(b.rows, env.channel_tile(), [=, &env](const Range<Int>& channels) {
    env.loop(b.images, [=, &env](const Int& n) {
      env.tiles({Int(0), s.height.output}, env.line_tile(), [=, &env](const Range<Int>& lines) {
        env.loop(b.cols, [=, &env](const Int& tap) {
          const Int kh = spec::floor_div(tap, s.width.kernel);
          const Int kw = tap - kh * s.width.kernel;
          env.unless_empty(meet(touched(s.height, kh), lines), [=, &env](const Range<Int>& oh) {
            env.unless_empty(touched(s.width, kw), [=, &env](const Range<Int>& ow) {
              env.channel_products(
                  {n, oh.first, ow.first, kh, kw, channels.first, Int(0), Int(0)}, length(channels),
                  length(oh), length(ow),
                  spec::dy_offset(s, n, Int(0), oh.first, ow.first, channels.first, Int(0)),
                  spec::x_offset(s, n, Int(0), spec::input_at(s.height, oh.first, kh),
                                 spec::input_at(s.width, ow.first, kw), channels.first, Int(0)),
                  channels.first - b.rows.first, tap - b.cols.first);
            });
          });
        });
      });
    });
  });
}

}  // namespace wgradcheck::impl
