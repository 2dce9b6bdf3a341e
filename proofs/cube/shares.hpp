#pragma once
#include "proofs/cube/items.hpp"
#include "proofs/cube/list.hpp"

/// What is claimed of the blocks that cores visit.
namespace wgradcheck::proofs::cube {

/// A block that a core visits, and the choices that lead to it: its place in the core's stretch of a list,
/// then those that the list does not make.
template <class Int>
struct Visited {
  impl::cube::Block<Int> block;
  std::vector<Int> choices;
};

/// A block on the way through a schedule: visit(way, job, cores, core, body), whose body is at a place.
template <class Reading, class Visit>
Visited<IntOf<Reading>> visited(
    Reading& p, const Gradient<IntOf<Reading>>& g, const Visit& visit, const Place& innermost,
    const IntOf<Reading>& core, std::vector<IntOf<Reading>> choices = {},
    std::type_identity_t<std::function<void(const Prove<Reading>&)>> before = {}) {
  using Int = IntOf<Reading>;
  std::vector<impl::cube::Block<Int>> met;
  const bool shown = !choices.empty();
  Prove<Reading> way(p, Int(1), Int(1), {{innermost}, std::move(choices), shown, "", std::move(before)});
  Mutation::current().next = 0;
  const auto block = p.subject([&] {
    visit(way, g.job, g.cores, core, [&met](const impl::cube::Block<Int>& b) { met.push_back(b); });
    return met.at(0);
  });
  return {block, way.choices()};
}

/// A block is what Conv3DBackpropFilter takes: part of the gradient, of whole rows, of whole sixteens of
/// output channels, and of all taps of whole sixteens of input channels; and it meets inputs.
template <class Reading>
void claim_block(Reading& p, const Gradient<IntOf<Reading>>& g, const impl::cube::Block<IntOf<Reading>>& b,
                 const impl::Work<IntOf<Reading>>& w) {
  using Int = IntOf<Reading>;
  const auto& s = g.job.s;
  const auto counts = g.counts();
  p.use(product(w.rows, g.job.rows));
  p.use(product(w.m, g.block_outs));
  p.use(product(w.cols, g.block_ins));
  p.use(monotone(w.rows, Int(counts.rows - 1), g.job.rows));
  p.use(monotone(w.m, Int(counts.m - 1), g.job.channels));
  p.use(monotone(w.cols, Int(counts.cols - 1), g.job.columns));
  p.claim("an image and depths", 0 <= b.n && b.n < s.batch && 0 <= b.depth && b.depth < s.depth.output &&
                                     0 <= b.kd && b.kd < s.depth.kernel);
  p.claim("inputs", spec::touches(s.depth, b.depth, b.kd));
  const auto part = [&p](const char* what, const impl::Range<Int>& r, const Int& total, const Int& most) {
    p.claim(what, 0 <= r.first && r.first < r.last && r.last <= total && r.last - r.first <= most);
  };
  part("rows", b.rows, s.height.output, g.job.rows);
  const auto outs = impl::tile_range(g.outs, g.block_outs, w.m),
             ins = impl::tile_range(g.ins, g.block_ins, w.cols);
  p.claim("whole sixteens", b.channels.first == outs.first * kLanes && b.channels.last == outs.last * kLanes);
  part("output channels", b.channels, s.out_channels, g.job.channels);
  const Int end = ins.first + g.block_ins;
  p.use(monotone(g.ins, end, g.taps));
  p.use(monotone(end, g.ins, g.taps));
  p.use(product(ins.first, g.taps));
  p.use(times(ins.last, g.ins, g.taps));
  p.use(times(ins.last, end, g.taps));
  p.claim("whole sixteens of all taps",
          b.columns.first == ins.first * kLanes * g.taps && b.columns.last == ins.last * kLanes * g.taps);
  part("columns", b.columns, impl::cube::columns_of(s), g.job.columns);
}

/// The tiles of a block that has an item are the item's own.
template <class Reading>
void claim_tiles(Reading& p, const Gradient<IntOf<Reading>>& g, const Item<IntOf<Reading>>& t,
                 const impl::Work<IntOf<Reading>>& w) {
  using Int = IntOf<Reading>;
  const Int first = w.cols * g.block_ins;
  p.use(monotone(t.in + 1, first, g.taps));
  p.use(monotone(Int(first + g.block_ins), t.in, g.taps));
  for (const Int next : {0, 1}) {
    p.use(quotient(w.rows + next, t.oh, g.job.rows));
    p.use(quotient(w.m + next, t.out, g.block_outs));
    p.use(quotient(w.cols + next, t.in, g.block_ins));
  }
  const auto own = owner_of(g, t);
  p.claim("its own tile of rows", w.rows == own.rows);
  p.claim("its own tile of output channels", w.m == own.m);
  p.claim("its own tile of columns", w.cols == own.cols);
}

/// A block that a core visits is one that Conv3DBackpropFilter takes, its place in a list of so many is in
/// that core's share alone, and it is the block of whatever item it has.
template <class Reading>
void claim_visited(Reading& p, const Gradient<IntOf<Reading>>& g, const impl::cube::Block<IntOf<Reading>>& b,
                   const impl::Work<IntOf<Reading>>& w, const IntOf<Reading>& all,
                   const IntOf<Reading>& place, const IntOf<Reading>& core) {
  claim_block(p, g, b, w);
  claim_owner(p, all, g.cores, place, core);
  p.claim("its owner", core == impl::owner(all, g.cores, place));
  const auto t = given_item_of(p, g, b);
  claim_tiles(p, g, t, w);
  const auto own = owner_of(g, t);
  p.claim("its work", w.n == own.n && w.depth == own.depth && w.kd == own.kd);
}

}  // namespace wgradcheck::proofs::cube
