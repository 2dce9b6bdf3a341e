#pragma once
#include "proofs/cube/moved.hpp"

/// Where Ascend's schedule moves the sums of a tile: impl::cube::move.
namespace wgradcheck::proofs::cube {

/// How to move them.
struct Moving {
  void operator()(auto& env, const auto& tile, const auto& from, const auto& to) const {
    impl::cube::move(env, tile, from, to);
  }
};

/// The sum goes to its dW.
template <class Reading>
void claim_to_dw(Reading& p, const Moved<Reading>& m) {
  using Int = IntOf<Reading>;
  const Int one = 1, none = 0, lanes = kLanes;
  const auto kds = at_least(p, 1, "kernel_d"), khs = at_least(p, 1, "kernel_h"),
             kws = at_least(p, 1, "kernel_w");
  const auto axis = [&](const Int& kernel) { return spec::Axis<Int>{one, one, kernel, one, one, none}; };
  const auto in_blocks = at_least(p, 1, "in_blocks"), kd = index_below(p, "kd", kds),
             out = at_least(p, 0, "out"), in = at_least(p, 0, "in");
  p.assume("an output channel each", out + m.tile.blocks.last <= m.out_blocks);
  p.assume("a column each", m.tile.sixteens.last <= (in_blocks - in) * khs * kws);
  const spec::BasicShape<Int> s{one,       one,       in_blocks * lanes, m.out_blocks * lanes,
                                axis(kds), axis(khs), axis(kws)};
  const Int taps = khs * kws, channel = in * lanes, sixteen = m.tile.sixteens.first + m.j;
  const auto column = claim_column<Reading>(p, {s.height, s.width, none, none}, sixteen);
  p.use(positive(khs, kws));
  p.use(monotone(Int(in_blocks - in), column.block, taps));
  p.use(product(column.kh, kws));
  p.claim("a block of channels", column.block < in_blocks - in);
  claim_quotient(p, channel, Int(channel * taps), taps);
  const Int co = (out + m.tile.blocks.first) * lanes + m.i, ci = (in + column.block) * lanes + m.lane;
  const Int outs = spec::channel_blocks(s.out_channels);
  claim_equal(p, spec::lane_of(spec::floor_div(Int(channel * taps), taps)).block, in, Int(taps * outs));
  claim_equal(p, spec::lane_of(ci).block, Int(in + column.block), Int(taps * outs));
  claim_equal(p, outs, m.out_blocks, sixteen);
  const auto base = beside(p, 30, [&] {
    return impl::cube::dw_base<Int>(
        {s, one, one, one}, {none, none, kd, {none, one}, {out * lanes, none}, {channel * taps, none}});
  });
  const auto at = base + m.to();
  p.claim("its dW", at == spec::packed_dw_offset(s, co, kd, column.kh, column.kw, ci));
  const auto use_inside = [&](const Int& of_in, const Int& kh, const Int& kw, const Int& of_out) {
    use_digits(p, {{kd, kds},
                   {spec::lane_of(of_in).block, spec::channel_blocks(s.in_channels)},
                   {kh, khs},
                   {kw, kws},
                   {of_out, spec::padded_channels(s.out_channels)},
                   {spec::lane_of(of_in).lane, lanes}});
  };
  use_inside(ci, column.kh, column.kw, co);
  p.claim("inside dW", 0 <= at && at < spec::packed_dw_elems(s));
  use_inside(spec::floor_div(Int(channel * taps), taps), none, none, Int(out * lanes));
  p.claim("the block begins inside dW", 0 <= base && base < spec::packed_dw_elems(s));
}

/// Its obligations, those of `moving` in its place being as if it were Moving.
template <class Mover>
std::vector<Obligation> move_obligations(const Mover& moving) {
  std::vector<Obligation> all{
      holds("to_dw", "Each sum of a tile is moved to its dW.",
            [moving](auto& p) {
              const auto m = given_moved(p, moving, Kind::to_dw);
              p.claim("from where it is", m.from() == m.in_rows());
              claim_to_dw(p, m);
            }),
      holds("to_scratch", "Each sum of a tile is moved to a place of its own in scratch.",
            [moving](auto& p) {
              const auto m = given_moved(p, moving, Kind::to_scratch);
              p.claim("from where it is", m.from() == m.in_rows());
              p.claim("to its place", m.to() == m.in_scratch());
              use_digits(p, {{m.j, m.grid.base_n}, {m.i, m.grid.base_m * kLanes}, {m.lane, kLanes}});
              p.claim("inside scratch",
                      0 <= m.to() && m.to() < m.grid.base_n * m.grid.base_m * kLanes * kLanes);
            }),
      holds("from_scratch", "Each sum of a tile is moved from its place in scratch to its dW.",
            [moving](auto& p) {
              const auto m = given_moved(p, moving, Kind::from_scratch);
              p.claim("from its place", m.from() == m.in_scratch());
              claim_to_dw(p, m);
            }),
  };
  return about_one_text(std::move(all));
}

}  // namespace wgradcheck::proofs::cube
