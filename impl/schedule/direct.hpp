#pragma once
#include "impl/schedule/staged.hpp"
#include "impl/schedule/view.hpp"

/// The host library's path for kernels of few taps and pixels of few cache lines: each tap is a matrix
/// product of its own over the outputs that meet it, and nothing is packed, since packing would cost more
/// than it saves.
namespace wgradcheck::impl {

/// Adds the part's products into env's sums. Requires one group, and cut.planes of 1 where an output of depth
/// is not the only one.
template <class Env, class Int = typename Env::Int>
void direct(Env& env, const spec::BasicShape<Int>& s, const Part<Int>& part, const Cut<Int>& cut) {
  const Int dy_line = s.width.output * s.out_channels, x_line = s.width.input * s.in_channels;
  each_depth_tap(env, s, [=, &env](const Int& kd) {
    each_box(env, s, cut, kd, [=, &env](const Outputs<Int>& o) {
      const Plane3<Int> at = plane_at(o, o.planes.first);
      env.loop({Int(0), s.height.kernel}, [=, &env](const Int& kh) {
        env.loop({Int(0), s.width.kernel}, [=, &env](const Int& kw) {
          const Range<Int> oh = meet(touched(s.height, kh), o.lines);
          const Range<Int> ow = meet(touched(s.width, kw), o.pixels);
          env.product_in_place(
              {length(part.outs), length(part.ins)}, {length(o.planes), length(oh), length(ow)},
              View<Int>{
                  spec::dy_offset(s, at.n, at.d, oh.first, ow.first, part.groups.first, part.outs.first),
                  s.depth.output * s.height.output * dy_line, dy_line, s.out_channels},
              View<Int>{
                  spec::x_offset(s, at.n, spec::input_at(s.depth, at.d, kd),
                                 spec::input_at(s.height, oh.first, kh),
                                 spec::input_at(s.width, ow.first, kw), part.groups.first, part.ins.first),
                  s.depth.input * s.height.input * x_line, s.height.stride * x_line,
                  s.width.stride * s.in_channels},
              tap_at(s, kd, kh, kw), is_first(o));
        });
      });
    });
  });
}

}  // namespace wgradcheck::impl
