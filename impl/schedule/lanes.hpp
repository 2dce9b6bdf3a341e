#pragma once
#include "impl/schedule/staged.hpp"
#include "impl/schedule/view.hpp"

/// The host library's path for groups of few input channels, depthwise among them: the lanes of a vector are
/// the input channels of several groups, and the taps of a block share each pixel of dy.
namespace wgradcheck::impl {

/// The outputs of a box that meet every tap of a range.
template <class Int>
Range<Int> met_by_all(const spec::Axis<Int>& a, const Range<Int>& taps, const Range<Int>& outputs) {
  return meet(meet(touched(a, taps.first), touched(a, taps.last - Int(1))), outputs);
}

/// Some taps of an axis and outputs of a box that each of them meets. Side 0 are all taps of a block with the
/// outputs that they meet together; of a tap alone, side 1 are the outputs before those and side 2 the ones
/// behind.
template <class Int>
struct Piece {
  Int side;
  Range<Int> taps, outputs;
};

/// The piece of a side that begins with a tap.
template <class Int>
Piece<Int> piece_of(const spec::Axis<Int>& a, const Range<Int>& taps, const Range<Int>& outputs,
                    const Int& side, const Int& tap) {
  const Range<Int> inner = met_by_all(a, taps, outputs), met = meet(touched(a, tap), outputs);
  const auto by_side = [=](const Int& together, const Int& before, const Int& behind) {
    return spec::Arith<Int>::pick(side == Int(0), together,
                                  spec::Arith<Int>::pick(side == Int(1), before, behind));
  };
  return {side,
          {tap, by_side(taps.last, tap + Int(1), tap + Int(1))},
          {by_side(inner.first, met.first, spec::min(inner.last, met.last)),
           by_side(inner.last, spec::min(inner.first, met.last), met.last)}};
}

/// Calls body(piece) for what the taps of a block meet: for side 0 once, though it have no outputs.
template <class Env, class Int, class Body>
void each_piece(Env& env, const spec::Axis<Int>& a, const Range<Int>& taps, const Range<Int>& outputs,
                const Body& body) {
  env.loop({Int(0), Int(3)}, [=, &env](const Int& side) {
    const Int last = spec::Arith<Int>::pick(side == Int(0), taps.first + Int(1), taps.last);
    env.loop({taps.first, last}, [=](const Int& tap) { body(piece_of(a, taps, outputs, side, tap)); });
  });
}

/// Adds the products of lanes [channels.first, channels.last) of the input channels into env's sums, a map
/// for each output channel of a group. Requires cut.planes of 1 where taps of depth meet several outputs.
template <class Env, class Int = typename Env::Int>
void lanes(Env& env, const spec::BasicShape<Int>& s, const Range<Int>& channels, const Cut<Int>& cut) {
  const Int count = length(channels);
  const Range<Int> all_lines{Int(0), s.height.kernel}, all_pixels{Int(0), s.width.kernel};
  each_depth_tap(env, s, [=, &env](const Int& kd) {
    each_box(env, s, cut, kd, [=, &env](const Outputs<Int>& o) {
      const Pick<Int> lines = picked(s.height, o.lines, all_lines);
      const Pick<Int> pixels = picked(s.width, o.pixels, all_pixels);
      const auto x_of = [=](const Int& p) {
        const Plane3<Int> at = plane_at(o, p);
        return spec::x_offset(s, at.n, spec::input_at(s.depth, at.d, kd), lines.first, pixels.first, Int(0),
                              channels.first);
      };
      const Plane3<Int> first = plane_at(o, o.planes.first);
      const Int x_line = s.width.input * s.in_channels;
      const View<Int> x = view(env.x_in_place(),
                               View<Int>{x_of(o.planes.first), s.depth.input * s.height.input * x_line,
                                         lines.step * x_line, pixels.step * s.in_channels},
                               lines.count, pixels.count, count);
      const Int dy_line = s.width.output * s.out_channels;
      const View<Int> dy = view(
          env.dy_in_place(),
          View<Int>{
              spec::dy_offset(s, first.n, first.d, o.lines.first, o.pixels.first, Int(0), channels.first),
              s.depth.output * s.height.output * dy_line, dy_line, s.out_channels},
          length(o.lines), length(o.pixels), count);
      env.loop(o.planes, [=, &env](const Int& p) {
        env.loop({Int(0), lines.count}, [=, &env](const Int& i) {
          env.widen_lanes(pixels.count, count, x_of(p) + i * lines.step * x_line, pixels.step * s.in_channels,
                          ((p - o.planes.first) * lines.count + i) * x.line);
        });
      });
      each_line_of_dy(env, s, o, Int(0), Int(0), [=, &env](const Int& p, const Int& oh, const Int& from) {
        env.spread_dy(length(o.pixels), channels, from, pixel_in(o, p, oh) * count, area(o) * count);
      });
      env.tiles(all_lines, cut.tap_lines, [=, &env](const Range<Int>& khs) {
        env.tiles(all_pixels, cut.tap_pixels, [=, &env](const Range<Int>& kws) {
          each_piece(env, s.height, khs, o.lines, [=, &env](const Piece<Int>& h) {
            each_piece(env, s.width, kws, o.pixels, [=, &env](const Piece<Int>& w) {
              const Range<Int> oh = h.outputs, ow = w.outputs;
              const Int y = staged_at(s.height, lines, oh.first, h.taps.first);
              const Int at = staged_at(s.width, pixels, ow.first, w.taps.first);
              env.lane_products(count, {length(h.taps), length(w.taps)},
                                {spec::floor_div(s.height.dilation, lines.step) * x.line,
                                 spec::floor_div(s.width.dilation, pixels.step) * x.pixel},
                                {length(o.planes), length(oh), length(ow)},
                                View<Int>{dy.at + (oh.first - o.lines.first) * dy.line +
                                              (ow.first - o.pixels.first) * dy.pixel,
                                          dy.plane, dy.line, dy.pixel},
                                area(o) * count,
                                View<Int>{x.at + y * x.line + at * x.pixel, x.plane,
                                          spec::floor_div(s.height.stride, lines.step) * x.line,
                                          spec::floor_div(s.width.stride, pixels.step) * x.pixel},
                                tap_at(s, kd, h.taps.first, w.taps.first), s.width.kernel,
                                is_first(o) && h.side == Int(0) && w.side == Int(0));
            });
          });
        });
      });
    });
  });
}

}  // namespace wgradcheck::impl
