#pragma once
#include "impl/schedule/staged.hpp"
#include "impl/schedule/view.hpp"

/// The host library's path for groups of few input channels, depthwise among them: the lanes of a vector are
/// the input channels of several groups, and the taps of a block share each pixel of dy.
namespace wgradcheck::impl {

/// Calls body for the outputs of a box that a tap meets beyond those that all taps of its block meet,
/// `inner`: the ones before and the ones after.
template <class Env, class Int, class Body>
void beyond(Env& env, const Range<Int>& met, const Range<Int>& inner, const Body& body) {
  env.unless_empty(Range<Int>{met.first, spec::min(inner.first, met.last)}, body);
  env.unless_empty(Range<Int>{spec::min(inner.last, met.last), met.last}, body);
}

/// The outputs of a box that meet every tap of a range.
template <class Int>
Range<Int> met_by_all(const spec::Axis<Int>& a, const Range<Int>& taps, const Range<Int>& outputs) {
  return meet(meet(touched(a, taps.first), touched(a, taps.last - Int(1))), outputs);
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
      const auto add = [=, &env](const Range<Int>& khs, const Range<Int>& kws, const Range<Int>& oh,
                                 const Range<Int>& ow, auto fresh) {
        const Int y = staged_at(s.height, lines, oh.first, khs.first);
        const Int at = staged_at(s.width, pixels, ow.first, kws.first);
        env.lane_products(
            count, {length(khs), length(kws)},
            {spec::floor_div(s.height.dilation, lines.step) * x.line,
             spec::floor_div(s.width.dilation, pixels.step) * x.pixel},
            {length(o.planes), length(oh), length(ow)},
            View<Int>{dy.at + (oh.first - o.lines.first) * dy.line + (ow.first - o.pixels.first) * dy.pixel,
                      dy.plane, dy.line, dy.pixel},
            area(o) * count,
            View<Int>{x.at + y * x.line + at * x.pixel, x.plane,
                      spec::floor_div(s.height.stride, lines.step) * x.line,
                      spec::floor_div(s.width.stride, pixels.step) * x.pixel},
            tap_at(s, kd, khs.first, kws.first), s.width.kernel, fresh);
      };
      env.tiles(all_lines, cut.tap_lines, [=, &env](const Range<Int>& khs) {
        env.tiles(all_pixels, cut.tap_pixels, [=, &env](const Range<Int>& kws) {
          const Range<Int> inner_h = met_by_all(s.height, khs, o.lines);
          const Range<Int> inner_w = met_by_all(s.width, kws, o.pixels);
          add(khs, kws, inner_h, inner_w, is_first(o));
          const auto only = [](const Int& kh) { return Range<Int>{kh, kh + Int(1)}; };
          env.loop(kws, [=, &env](const Int& kw) {
            beyond(env, meet(touched(s.width, kw), o.pixels), inner_w,
                   [=](const Range<Int>& ow) { add(khs, only(kw), inner_h, ow, false); });
          });
          env.loop(khs, [=, &env](const Int& kh) {
            beyond(env, meet(touched(s.height, kh), o.lines), inner_h, [=, &env](const Range<Int>& oh) {
              add(only(kh), kws, oh, inner_w, false);
              env.loop(kws, [=, &env](const Int& kw) {
                beyond(env, meet(touched(s.width, kw), o.pixels), inner_w,
                       [=](const Range<Int>& ow) { add(only(kh), only(kw), oh, ow, false); });
              });
            });
          });
        });
      });
    });
  });
}

}  // namespace wgradcheck::impl
