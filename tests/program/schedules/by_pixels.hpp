#pragma once
#include "impl/schedule/block.hpp"
#include "proofs/schedule/any_schedule.hpp"
#include "spec/index.hpp"

/// A loop nest of a user's: one output pixel and one tap at a time.
template <class Env, class Int>
void by_pixels(Env& env, const wgradcheck::spec::Call<Int>& c, const wgradcheck::impl::Block<Int>& b) {
  namespace spec = wgradcheck::spec;
  using namespace wgradcheck::impl;
  const auto s = spec::shape_of(c);
  const Int ci = spec::in_per_group(s), zero = 0;
  env.loop(b.images, [=, &env](const Int& n) {
    env.loop({zero, s.height.kernel}, [=, &env](const Int& kh) {
      env.loop({zero, s.width.kernel}, [=, &env](const Int& kw) {
        const Int tap = kh * s.width.kernel + kw;
        env.unless_empty(
            meet({zero, ci}, shifted(b.cols, zero - tap * ci)), [=, &env](const Range<Int>& channels) {
              env.loop(touched(s.height, kh), [=, &env](const Int& oh) {
                env.loop(touched(s.width, kw), [=, &env](const Int& ow) {
                  const Term<Int> first{n, oh, ow, kh, kw, b.group, b.rows.first, channels.first};
                  const Int x = spec::x_offset(s, n, zero, spec::input_at(s.height, oh, kh),
                                               spec::input_at(s.width, ow, kw), b.group, channels.first);
                  const Int dy = spec::dy_offset(s, n, zero, oh, ow, b.group, b.rows.first);
                  env.stage(first, Int(1), length(channels), x, s.width.stride * s.in_channels, zero, zero,
                            length(channels));
                  env.product(first, length(b.rows), length(channels), Int(1), dy, length(channels),
                              tap * ci + channels.first - b.cols.first);
                });
              });
            });
      });
    });
  });
}

/// The nest as `wgradcheck prove` takes it, with the one fact that its proof lacks: a pixel's channels fit
/// scratch.
struct Schedule : wgradcheck::proofs::AnySchedule {
  template <class Env, class Int>
  void run(Env& env, const wgradcheck::spec::Call<Int>& c, const wgradcheck::impl::Block<Int>& b) const {
    by_pixels(env, c, b);
  }
  /// Image, tap, output: the loops in their order.
  template <class Reading, class Int>
  std::vector<Int> owner(const wgradcheck::proofs::Work<Reading>&,
                         const wgradcheck::impl::Term<Int>& t) const {
    return {t.n, t.kh, t.kw, t.oh, t.ow};
  }
  template <class Reading, class Operation>
  void lemmas(wgradcheck::proofs::Scene<Reading>& scene, const Operation&) const {
    using namespace wgradcheck;
    auto& [p, c, b, way] = scene;
    const proofs::IntOf<Reading> one = 1;
    const auto channels = length(way.ranges()[0]);
    p.use(proofs::monotone(channels, spec::row_elems(c), c.elem_bytes));
    p.use(proofs::quotient(channels, spec::half_buffer(c), c.elem_bytes));
    p.use(proofs::positive(c.output_h, c.output_w));
    p.use(proofs::monotone(one, c.output_h * c.output_w, length(b.cols)));
  }
};
