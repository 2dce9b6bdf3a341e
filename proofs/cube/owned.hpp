#pragma once
#include "proofs/cube/shares.hpp"

/// Blocks of parts of dW that a core owns: impl::cube::each_owned_block.
namespace wgradcheck::proofs::cube {

/// How to visit them, and where the body of the innermost loop is.
struct Owned {
  static Place innermost() { return {0, 0, 0, 0, 0, 0}; }
  void operator()(auto& env, const auto& job, const auto& cores, const auto& core, const auto& body) const {
    impl::cube::each_owned_block(env, job, cores, core, body);
  }
};

/// The list of parts of dW.
template <class Int>
impl::Work<Int> parts_of(const impl::Work<Int>& c) {
  return {1, 1, 1, c.kd, c.m, c.cols};
}
template <class Int>
Int all_owned(const impl::Work<Int>& c) {
  return c.kd * c.m * c.cols;
}

/// The work at a place of the list and further choices.
template <class Int>
impl::Work<Int> work_of(const impl::Work<Int>& at, const std::vector<Int>& choices) {
  return {choices[3], choices[1], choices[2], at.kd, at.m, at.cols};
}

/// Its obligations, those of `visit` in its place being as if it were Owned.
template <class Visit>
std::vector<Obligation> owned_obligations(const Visit& visit) {
  std::vector<Obligation> all{
      holds(
          "blocks",
          "Each block is one that Conv3DBackpropFilter takes, its dW is one core's alone, and it comes once.",
          [visit](auto& p) {
            const auto g = given_gradient(p);
            const auto core = index_below(p, "core", g.cores);
            const auto v = visited(p, g, visit, Visit::innermost(), core);
            const auto counts = g.counts(), parts = parts_of(counts);
            const auto& place = v.choices[0];
            p.use(product(core, impl::share(all_owned(counts), g.cores)));
            p.claim("a place in the list", 0 <= place && place < all_owned(counts));
            claim_digits(p, parts, place);
            const auto w = work_of(impl::work_at(parts, place), v.choices);
            claim_visited(p, g, v.block, w, all_owned(counts), place, core);
          }),
      holds("every", "Each part of the gradient that meets inputs is in a block of some core.",
            [visit](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto g = given_gradient(p);
              const auto t = given_item(p, g);
              const auto counts = g.counts(), own = owner_of(g, t), parts = parts_of(counts);
              claim_own(p, g, t);
              const Int none = 0;
              const impl::Work<Int> in_list{none, none, none, own.kd, own.m, own.cols};
              use_digits(p, {{own.kd, counts.kd}, {own.m, counts.m}, {own.cols, counts.cols}});
              const auto place = impl::place_of(parts, in_list);
              p.claim("a place in the list", 0 <= place && place < all_owned(counts));
              const Int core = impl::owner(all_owned(counts), g.cores, place);
              claim_owner(p, all_owned(counts), g.cores, place, core);
              claim_back(p, parts, in_list);
              const auto at = impl::work_at(parts, place);
              p.use(times(at.kd, own.kd, g.job.s.depth.dilation));
              p.claim("its tap touches depth", spec::touches(g.job.s.depth, own.depth, at.kd));
              const auto v =
                  visited(p, g, visit, Visit::innermost(), core, {place, own.n, own.depth, own.rows});
              p.use(times(at.m, own.m, g.block_outs));
              p.use(times(at.cols, own.cols, Int(g.block_ins * g.taps)));
              claim_has(p, g, v.block, t);
            }),
  };
  return about_one_text(std::move(all));
}

}  // namespace wgradcheck::proofs::cube
