#pragma once
#include "impl/schedule/taps.hpp"

/// The host library's path for few input channels: the taps of a row of the kernel and their channels are the
/// columns of one matrix product, since in x they lie side by side. Rows of x are staged with zeros for what
/// lies outside the input.
namespace wgradcheck::impl {

/// Adds the part's products into env's sums. Requires a dilation of width of 1, one group, and part.ins to be
/// all. A padded tap's term is 0 even where dy is not finite: there each tap adds what it meets alone.
template <class Env, class Int = typename Env::Int>
void folded(Env& env, const spec::BasicShape<Int>& s, const Part<Int>& part, const Cut<Int>& cut) {
  const Int ci = length(part.ins);
  each_depth_tap(env, s, [=, &env](const Int& kd) {
    env.tiles({Int(0), s.height.kernel}, cut.tap_lines, [=, &env](const Range<Int>& khs) {
      each_box(env, s, cut, kd, [=, &env](const Outputs<Int>& o) {
        const Pick<Int> lines = picked(s.height, o.lines, khs);
        const Int width = (length(o.pixels) - Int(1)) * s.width.stride + s.width.kernel;
        const Int left = spec::input_at(s.width, o.pixels.first, Int(0));  // of the first staged pixel
        const auto clamp = [=](const Int& i) { return spec::max(Int(0), spec::min(i, width)); };
        const Range<Int> inside{clamp(Int(0) - left), clamp(s.width.input - left)};
        stage_dy(env, s, part, o);
        env.loop(o.planes, [=, &env](const Int& p) {
          env.loop({Int(0), lines.count}, [=, &env](const Int& i) {
            const Plane3<Int> at = plane_at(o, p);
            const Int to = ((p - o.planes.first) * lines.count + i) * width;
            env.clear_x(inside.first * ci, to * ci);
            env.widen_x(
                length(inside), ci,
                spec::x_offset(s, at.n, spec::input_at(s.depth, at.d, kd), lines.first + i * lines.step,
                               left + inside.first, part.groups.first, Int(0)),
                s.in_channels, (to + inside.first) * ci);
            env.clear_x((width - inside.last) * ci, (to + inside.last) * ci);
          });
        });
        const auto product = [=, &env](const Int& kh, const Range<Int>& kws, const Range<Int>& ow) {
          const Range<Int> oh = meet(touched(s.height, kh), o.lines);
          const Int y = staged_at(s.height, lines, oh.first, kh);
          const Int down = spec::floor_div(s.height.stride, lines.step);
          const Int x = (ow.first - o.pixels.first) * s.width.stride + kws.first;
          env.product(Int(0), {length(part.outs), length(kws) * ci},
                      {length(o.planes), length(oh), length(ow)},
                      {pixel_in(o, o.planes.first, oh.first) + ow.first - o.pixels.first,
                       length(o.lines) * length(o.pixels), length(o.pixels), Int(1), area(o)},
                      {(y * width + x) * ci, lines.count * width * ci, down * width * ci, s.width.stride * ci,
                       Int(0)},
                      tap_at(s, kd, kh, kws.first), is_first(o));
        };
        env.either(
            env.finite_dy(length(inside) < width, s, part, o),
            [=, &env] {
              env.loop(khs, [=](const Int& kh) { product(kh, {Int(0), s.width.kernel}, o.pixels); });
            },
            [=, &env] {
              env.loop(khs, [=, &env](const Int& kh) {
                env.loop({Int(0), s.width.kernel}, [=](const Int& kw) {
                  product(kh, {kw, kw + Int(1)}, meet(touched(s.width, kw), o.pixels));
                });
              });
            });
      });
    });
  });
}

}  // namespace wgradcheck::impl
