#pragma once
#include "proofs/cube/shares.hpp"

/// Blocks that cores share, whose sums are added atomically: impl::cube::each_shared_block.
namespace wgradcheck::proofs::cube {

/// How to visit them, and where the body of the innermost loop is.
struct Shared {
  static Place innermost() { return {0, 0, 0}; }
  void operator()(auto& env, const auto& job, const auto& cores, const auto& core, const auto& body) const {
    impl::cube::each_shared_block(env, job, cores, core, body);
  }
};

template <class Int>
Int all_shared(const impl::Work<Int>& c) {
  return c.rows * c.n * c.depth * c.kd * c.m * c.cols;
}

/// Its obligations, those of `visit` in its place being as if it were Shared.
template <class Visit>
std::vector<Obligation> shared_obligations(const Visit& visit) {
  std::vector<Obligation> all{
      holds("blocks",
            "Each block is one that Conv3DBackpropFilter takes, in one core's share alone, and once.",
            [visit](auto& p) {
              const auto g = given_gradient(p);
              const auto core = index_below(p, "core", g.cores);
              const auto v = visited(p, g, visit, Visit::innermost(), core);
              const auto counts = g.counts();
              const auto& place = v.choices[0];
              p.use(product(core, impl::share(all_shared(counts), g.cores)));
              p.claim("a place in the list", 0 <= place && place < all_shared(counts));
              claim_digits(p, counts, place);
              const auto w = impl::work_at(counts, place);
              claim_visited(p, g, v.block, w, all_shared(counts), place, core);
            }),
      holds("every", "Each part of the gradient that meets inputs is in a block of some core.",
            [visit](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto g = given_gradient(p);
              const auto t = given_item(p, g);
              const auto counts = g.counts(), own = owner_of(g, t);
              claim_own(p, g, t);
              use_digits(p, {{own.rows, counts.rows},
                             {own.n, counts.n},
                             {own.depth, counts.depth},
                             {own.kd, counts.kd},
                             {own.m, counts.m},
                             {own.cols, counts.cols}});
              const auto place = impl::place_of(counts, own);
              p.claim("a place in the list", 0 <= place && place < all_shared(counts));
              const Int core = impl::owner(all_shared(counts), g.cores, place);
              claim_owner(p, all_shared(counts), g.cores, place, core);
              claim_back(p, counts, own);
              const auto at = impl::work_at(counts, place);
              p.use(times(at.depth, own.depth, g.job.s.depth.stride));
              p.use(times(at.kd, own.kd, g.job.s.depth.dilation));
              p.claim("its tap touches depth", spec::touches(g.job.s.depth, at.depth, at.kd));
              const auto v = visited(p, g, visit, Visit::innermost(), core, {place});
              p.use(times(at.rows, own.rows, g.job.rows));
              p.use(times(at.m, own.m, g.block_outs));
              p.use(times(at.cols, own.cols, Int(g.block_ins * g.taps)));
              claim_has(p, g, v.block, t);
            }),
  };
  return about_one_text(std::move(all));
}

}  // namespace wgradcheck::proofs::cube
