#pragma once
#include "impl/schedule/filter.hpp"
#include "spec/index.hpp"

/// What the host library's schedules share: boxes of outputs and the pixels of x that they need.
namespace wgradcheck::impl {

/// Part of dW: groups, and of each the output channels and the input channels, counted within the group.
template <class Int>
struct Part {
  Range<Int> groups, outs, ins;
};

/// How work is cut: taps whose pixels of x are staged together, and outputs of a box. A count of 1 or all
/// taps of an axis.
template <class Int>
struct Cut {
  Int tap_lines, tap_pixels;  ///< of height and width
  Int planes, lines, pixels;  ///< a plane is an image and an output of depth
};

/// Outputs whose products are added at a time: planes of one tap of depth, rows and columns. `depth` are that
/// tap's outputs; plane p is output depth.first + p modulo their number of image p div their number.
template <class Int>
struct Outputs {
  Range<Int> depth, planes, lines, pixels;
};

/// An output plane by its coordinates.
template <class Int>
struct Plane3 {
  Int n, d;
};
template <class Int>
Plane3<Int> plane_at(const Outputs<Int>& o, const Int& p) {
  const Int n = spec::floor_div(p, length(o.depth));
  return {n, o.depth.first + p - n * length(o.depth)};
}

/// Pixels of an axis of x that are staged: the i-th is input first + i * step, for i in [0, count).
template <class Int>
struct Pick {
  Int first, count, step;
};

/// What outputs read through taps: all inputs between the first and the last, or for a single tap exactly
/// those that it reads.
template <class Int>
Pick<Int> picked(const spec::Axis<Int>& a, const Range<Int>& outputs, const Range<Int>& taps) {
  const auto single = taps.last - taps.first == Int(1);
  const Range<Int> met = meet(touched(a, taps.first), outputs);
  const Int from = spec::max(Int(0), spec::input_at(a, outputs.first, taps.first));
  const Int to = spec::min(a.input, spec::input_at(a, outputs.last - Int(1), taps.last - Int(1)) + Int(1));
  const auto pick = [=](const Int& one, const Int& all) { return spec::Arith<Int>::pick(single, one, all); };
  return {pick(spec::input_at(a, met.first, taps.first), from),
          pick(length(met), spec::max(Int(0), to - from)), pick(a.stride, Int(1))};
}

/// The staged pixel that output p reads through tap r. Requires touches(a, p, r).
template <class Int>
Int staged_at(const spec::Axis<Int>& a, const Pick<Int>& staged, const Int& p, const Int& r) {
  return spec::floor_div(spec::input_at(a, p, r) - staged.first, staged.step);
}

/// Calls body(outputs) for the boxes of all outputs that a tap of depth meets.
template <class Env, class Int, class Body>
void each_box(Env& env, const spec::BasicShape<Int>& s, const Cut<Int>& cut, const Int& kd,
              const Body& body) {
  const Range<Int> depth = touched(s.depth, kd);
  env.tiles({Int(0), s.batch * length(depth)}, cut.planes, [=, &env](const Range<Int>& planes) {
    env.tiles({Int(0), s.height.output}, cut.lines, [=, &env](const Range<Int>& lines) {
      env.tiles({Int(0), s.width.output}, cut.pixels, [=](const Range<Int>& pixels) {
        body(Outputs<Int>{depth, planes, lines, pixels});
      });
    });
  });
}

/// Whether these are the first outputs whose products are added to a tap's sums.
template <class Int>
auto is_first(const Outputs<Int>& o) {
  return o.planes.first == Int(0) && o.lines.first == Int(0) && o.pixels.first == Int(0);
}

/// Pixels of the box.
template <class Int>
Int area(const Outputs<Int>& o) {
  return length(o.planes) * length(o.lines) * length(o.pixels);
}

/// Number in the box of the first of its pixels in plane p and line oh.
template <class Int>
Int pixel_in(const Outputs<Int>& o, const Int& p, const Int& oh) {
  return ((p - o.planes.first) * length(o.lines) + oh - o.lines.first) * length(o.pixels);
}

/// Calls body(p, oh, offset) with the offset in dy of output channel `co` of group `g` at the box's first
/// pixel of each line.
template <class Env, class Int, class Body>
void each_line_of_dy(Env& env, const spec::BasicShape<Int>& s, const Outputs<Int>& o, const Int& g,
                     const Int& co, const Body& body) {
  env.loop(o.planes, [=, &env](const Int& p) {
    env.loop(o.lines, [=](const Int& oh) {
      const Plane3<Int> at = plane_at(o, p);
      body(p, oh, spec::dy_offset(s, at.n, at.d, oh, o.pixels.first, g, co));
    });
  });
}

}  // namespace wgradcheck::impl
