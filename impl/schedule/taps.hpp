#pragma once
#include "impl/schedule/staged.hpp"

/// The host library's path for many channels: each tap is a matrix product of its own over the outputs that
/// meet it, of packed panels or of pixels where they lie. Padded taps belong to none.
namespace wgradcheck::impl {

/// Whether all inputs of an axis are staged, in their order, for all its outputs.
template <class Int>
auto stages_all(const spec::Axis<Int>& a, const Int& taps) {
  const Pick<Int> all = picked(a, {Int(0), a.output}, {Int(0), taps});
  return taps == a.kernel && all.step == Int(1) && all.count == a.input;
}

/// Whether the pixels that a box stages follow on one another in the tensors as they would when staged, so
/// that they can be read where they are: whole lines of a plane, or whole planes.
template <class Int>
auto lies_as_staged(const spec::BasicShape<Int>& s, const Cut<Int>& cut) {
  const auto one_plane = cut.planes == Int(1) && cut.tap_lines == s.height.kernel &&
                         (Int(1) < s.height.kernel || s.height.stride == Int(1));
  const auto planes = s.depth.input == Int(1) && s.depth.output == Int(1) && s.height.output <= cut.lines &&
                      stages_all(s.height, cut.tap_lines);
  return s.width.output <= cut.pixels && stages_all(s.width, cut.tap_pixels) && (one_plane || planes);
}

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
