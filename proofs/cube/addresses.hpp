#pragma once
#include "proofs/cube/tensors.hpp"

/// Where a term's factors lie.
namespace wgradcheck::proofs::cube {

/// A number that equals another one may stand for it in a product.
template <class Reading>
void claim_equal(Reading& p, const IntOf<Reading>& a, const IntOf<Reading>& b, const IntOf<Reading>& factor) {
  p.claim("equal numbers", a == b);
  p.use(times(a, b, factor));
}

/// What is part of a schedule beside its nest, of which `which` tells it from others.
template <class Reading, class Formula>
IntOf<Reading> beside(Reading& p, int which, const Formula& formula) {
  const InBody body({which});
  return p.subject(formula);
}

/// An offset, counted from where the work's operand begins, is that of a term's dy, and lies in dy; the
/// operand begins in it, too.
template <class Reading>
void claim_dy(const Work<Reading>& w, const Tensors<Reading>& of, const Term<IntOf<Reading>>& t,
              const IntOf<Reading>& offset) {
  auto& p = w.p;
  const auto& s = of.s;
  const IntOf<Reading> lanes = kLanes, block = of.out + t.out, co = block * lanes + t.out_lane;
  const auto plane = s.height.output * s.width.output;
  claim_equal(p, spec::lane_of(IntOf<Reading>(of.out * lanes)).block, of.out, plane);
  claim_equal(p, spec::lane_of(co).block, block, plane);
  const auto base = beside(p, 30, [&] { return impl::cube::dy_base(of.job(), of.block(w)); }),
             at = base + offset;
  p.claim("the term's dy", at == spec::packed_dy_offset(s, of.n, of.d, t.oh, t.ow, co));
  const auto use_inside = [&](const IntOf<Reading>& channel, const IntOf<Reading>& y,
                              const IntOf<Reading>& x) {
    use_digits(p, {{of.n, s.batch},
                   {of.d, s.depth.output},
                   {spec::lane_of(channel).block, spec::channel_blocks(s.out_channels)},
                   {y, s.height.output},
                   {x, s.width.output},
                   {spec::lane_of(channel).lane, lanes}});
  };
  use_inside(co, t.oh, t.ow);
  p.claim("inside dy", 0 <= at && at < spec::packed_dy_elems(s));
  use_inside(of.out * lanes, w.rows.first, IntOf<Reading>(0));
  p.claim("the block begins inside dy", 0 <= base && base < spec::packed_dy_elems(s));
}

/// The same of its x.
template <class Reading>
void claim_x(const Work<Reading>& w, const Tensors<Reading>& of, const Term<IntOf<Reading>>& t,
             const IntOf<Reading>& offset) {
  auto& p = w.p;
  const auto& s = of.s;
  const IntOf<Reading> lanes = kLanes, block = of.in + t.in, ci = block * lanes + t.in_lane;
  const auto plane = s.height.input * s.width.input, taps = s.height.kernel * s.width.kernel;
  const auto blocks = of.in_blocks - of.in;
  p.use(monotone(blocks, t.in, taps));
  p.use(product(t.kh, s.width.kernel));
  p.claim("a block of channels", t.in < blocks);
  const auto z = spec::input_at(s.depth, of.d, of.kd), y = spec::input_at(s.height, t.oh, t.kh),
             x = spec::input_at(s.width, t.ow, t.kw);
  const IntOf<Reading> first = of.in * lanes;
  claim_quotient(p, first, IntOf<Reading>(first * taps), taps);
  claim_equal(p, spec::lane_of(spec::floor_div(IntOf<Reading>(first * taps), taps)).block, of.in, plane);
  claim_equal(p, spec::lane_of(ci).block, block, plane);
  const auto base = beside(p, 31, [&] { return impl::cube::x_base(of.job(), of.block(w)); }),
             at = base + offset;
  p.claim("the term's x", at == spec::packed_x_offset(s, of.n, z, y, x, ci));
  const auto use_inside = [&](const IntOf<Reading>& channel, const IntOf<Reading>& row,
                              const IntOf<Reading>& column) {
    use_digits(p, {{of.n, s.batch},
                   {z, s.depth.input},
                   {spec::lane_of(channel).block, spec::channel_blocks(s.in_channels)},
                   {row, s.height.input},
                   {column, s.width.input},
                   {spec::lane_of(channel).lane, lanes}});
  };
  use_inside(ci, y, x);
  p.claim("inside x", 0 <= at && at < spec::packed_x_elems(s));
  const auto channel = spec::floor_div(IntOf<Reading>(first * taps), taps);
  const auto row = impl::cube::first_input_row(s.height, w.rows.first), last = s.height.output - 1;
  p.use(product(last - w.rows.first, s.height.stride));
  use_inside(channel, row, IntOf<Reading>(0));
  // As every tiling that is not refused has it.
  p.claim("the block begins inside x",
          implies(spec::input_at(s.height, last, IntOf<Reading>(0)) < s.height.input,
                  0 <= base && base < spec::packed_x_elems(s)));
}

}  // namespace wgradcheck::proofs::cube
