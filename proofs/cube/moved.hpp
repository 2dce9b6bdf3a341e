#pragma once
#include "proofs/cube/addresses.hpp"
#include "proofs/obligation.hpp"

/// Sums of a tile that are moved.
namespace wgradcheck::proofs::cube {

/// Any tile, what holds it, and a move of its sums.
template <class Reading>
struct Moved {
  using Int = IntOf<Reading>;

  impl::cube::Grid<Int> grid;
  impl::cube::Tile<Int> tile;
  Int out_blocks, j, i, lane;  ///< the sixteen of columns that is moved, and any of its rows and lanes
  Move<Int> move;

  Int rows() const { return impl::length(tile.blocks) * kLanes; }
  /// Where product() leaves a sum, and where a sequential write stores it.
  Int in_rows() const { return i * (impl::length(tile.sixteens) * kLanes) + j * kLanes + lane; }
  Int in_scratch() const { return (j * (grid.base_m * kLanes) + i) * kLanes + lane; }
  Int from() const { return move.from + i * move.step + lane; }
  Int to() const { return move.to + i * kLanes + lane; }
};

enum class Kind { to_dw, to_scratch, from_scratch };

/// Any sum of a tile on its way. Every sum has one: the sixteen is any, and so are row and lane.
template <class Reading, class Mover>
Moved<Reading> given_moved(Reading& p, const Mover& moving, Kind kind) {
  using Int = IntOf<Reading>;
  const auto out_blocks = p.integer("out_blocks"), base_m = p.integer("base_m"), base_n = p.integer("base_n"),
             block = at_least(p, 0, "blocks.first"), blocks = at_least(p, 1, "blocks"),
             sixteen = at_least(p, 0, "sixteens.first"), sixteens = at_least(p, 1, "sixteens");
  p.assume("no larger than a tile", blocks <= base_m && sixteens <= base_n);
  const Int one = 1;
  const impl::cube::Grid<Int> grid{one, one, base_m, base_n, one, one, one};
  const impl::cube::Tile<Int> tile{{block, block + blocks}, {sixteen, sixteen + sixteens}, one};
  const auto j = index_below(p, "j", sixteens), i = index_below(p, "i", IntOf<Reading>(blocks * kLanes)),
             lane = index_below(p, "lane", kLanes);
  Prove<Reading> way(p, one, one, {{Place{0, 0}}, {j}, true});
  Mutation::current().next = 0;
  p.subject([&] {
    const auto rows = impl::cube::in_rows(tile), fractals = impl::cube::in_fractals(tile, out_blocks),
               sequence = impl::cube::in_sequence(grid);
    moving(way, tile, kind == Kind::from_scratch ? sequence : rows,
           kind == Kind::to_scratch ? sequence : fractals);
    return true;
  });
  const auto& move = as<Move>(way.met().at(0));
  p.claim("all rows", move.rows == blocks * kLanes);
  return {grid, tile, out_blocks, j, i, lane, move};
}

}  // namespace wgradcheck::proofs::cube
