#pragma once
#include "impl/schedule/staged.hpp"

/// The host library's path for many channels: each tap is a matrix product of its own over the outputs that
/// meet it, of packed panels. Padded taps belong to none.
namespace wgradcheck::impl {

/// Packs the box's pixels of dy, channels part.outs.
template <class Env, class Int>
void stage_dy(Env& env, const spec::BasicShape<Int>& s, const Part<Int>& part, const Outputs<Int>& o) {
  each_line_of_dy(env, s, o, part.groups.first, part.outs.first,
                  [=, &env](const Int& p, const Int& oh, const Int& dy) {
                    env.pack_dy(length(part.groups), length(o.pixels), length(part.outs), dy, area(o),
                                pixel_in(o, p, oh));
                  });
}

/// Adds the part's products into env's sums.
template <class Env, class Int = typename Env::Int>
void taps(Env& env, const spec::BasicShape<Int>& s, const Part<Int>& part, const Cut<Int>& cut) {
  each_depth_tap(env, s, [=, &env](const Int& kd) {
    env.tiles({Int(0), s.height.kernel}, cut.tap_lines, [=, &env](const Range<Int>& khs) {
      env.tiles({Int(0), s.width.kernel}, cut.tap_pixels, [=, &env](const Range<Int>& kws) {
        each_box(env, s, cut, kd, [=, &env](const Outputs<Int>& o) {
          const Pick<Int> lines = picked(s.height, o.lines, khs);
          const Pick<Int> pixels = picked(s.width, o.pixels, kws);
          const Int staged = length(o.planes) * lines.count * pixels.count;
          stage_dy(env, s, part, o);
          env.loop(o.planes, [=, &env](const Int& p) {
            env.loop({Int(0), lines.count}, [=, &env](const Int& i) {
              const Plane3<Int> at = plane_at(o, p);
              env.pack_x(
                  length(part.groups), pixels.count, length(part.ins),
                  spec::x_offset(s, at.n, spec::input_at(s.depth, at.d, kd), lines.first + i * lines.step,
                                 pixels.first, part.groups.first, part.ins.first),
                  pixels.step * s.in_channels, staged,
                  ((p - o.planes.first) * lines.count + i) * pixels.count);
            });
          });
          env.loop(khs, [=, &env](const Int& kh) {
            env.loop(kws, [=, &env](const Int& kw) {
              const Range<Int> oh = meet(touched(s.height, kh), o.lines);
              const Range<Int> ow = meet(touched(s.width, kw), o.pixels);
              const Int y = staged_at(s.height, lines, oh.first, kh);
              const Int x = staged_at(s.width, pixels, ow.first, kw);
              // The staged pixels of neighbouring outputs are one stride apart, in steps of what was picked.
              const Int down = spec::floor_div(s.height.stride, lines.step);
              const Int right = spec::floor_div(s.width.stride, pixels.step);
              env.loop(part.groups, [=, &env](const Int& g) {
                env.product(
                    g - part.groups.first, {length(part.outs), length(part.ins)},
                    {length(o.planes), length(oh), length(ow)},
                    {pixel_in(o, o.planes.first, oh.first) + ow.first - o.pixels.first,
                     length(o.lines) * length(o.pixels), length(o.pixels), Int(1), area(o)},
                    {y * pixels.count + x, lines.count * pixels.count, down * pixels.count, right, staged},
                    tap_at(s, kd, kh, kw), is_first(o));
              });
            });
          });
        });
      });
    });
  });
}

}  // namespace wgradcheck::impl
