#pragma once
#include "impl/schedule/cube.hpp"
#include "impl/tiling.hpp"

/// How a block of Ascend's product is cut into tiles, and where their sums go.
namespace wgradcheck::impl::cube {

/// A block in sixteens, cut into tiles of base_m and base_n of which step_m and step_n lie in L1 together. Of
/// iterate_order 0 those of n run faster than those of m, else those of m.
template <class Int>
struct Grid {
  Int m, n, base_m, base_n, step_m, step_n, iterate_order;
};

/// Calls visit(i, j) for tiles of m and n in the order in which groups of them lie in L1.
template <class Env, class Int, class Visit>
void each_tile(Env& env, const Grid<Int>& g, const Visit& visit) {
  const Range<Int> ms{Int(0), tiles_of(g.m, g.base_m)};
  const Range<Int> ns{Int(0), tiles_of(g.n, g.base_n)};
  env.either(
      g.iterate_order == Int(0),
      [=, &env] {
        env.tiles(ms, g.step_m, [=, &env](const Range<Int>& m_group) {
          env.tiles(ns, g.step_n, [=, &env](const Range<Int>& n_group) {
            env.loop(m_group,
                     [=, &env](const Int& i) { env.loop(n_group, [=](const Int& j) { visit(i, j); }); });
          });
        });
      },
      [=, &env] {
        env.tiles(ns, g.step_n, [=, &env](const Range<Int>& n_group) {
          env.tiles(ms, g.step_m, [=, &env](const Range<Int>& m_group) {
            env.loop(n_group,
                     [=, &env](const Int& j) { env.loop(m_group, [=](const Int& i) { visit(i, j); }); });
          });
        });
      });
}

/// Tile (i, j), of all positions of the block.
template <class Int>
Tile<Int> tile_at(const Grid<Int>& g, const Int& i, const Int& j, const Int& positions) {
  return {tile_range(g.m, g.base_m, i), tile_range(g.n, g.base_n, j), positions};
}

/// How the sums of a tile lie: row i of its sixteen j at `first` + j * `sixteen` + i * `row`.
template <class Int>
struct Sums {
  Int first, sixteen, row;
};

/// As product() leaves them.
template <class Int>
Sums<Int> in_rows(const Tile<Int>& t) {
  return {Int(0), Int(spec::kC0), length(t.sixteens) * Int(spec::kC0)};
}

/// As FRACTAL_Z_3D of so many blocks of output channels has them, from the first sum of block 0 and sixteen 0
/// on.
template <class Int>
Sums<Int> in_fractals(const Tile<Int>& t, const Int& blocks) {
  const Int lanes = spec::kC0, sixteen = blocks * lanes * lanes;
  return {t.sixteens.first * sixteen + t.blocks.first * lanes * lanes, sixteen, lanes};
}

/// As [sixteens][base_m][16], the layout of a sequential write.
template <class Int>
Sums<Int> in_sequence(const Grid<Int>& g) {
  const Int lanes = spec::kC0;
  return {Int(0), g.base_m * lanes * lanes, lanes};
}

/// Moves a tile's sums.
template <class Env, class Int = typename Env::Int>
void move(Env& env, const Tile<Int>& t, const Sums<Int>& from, const Sums<Int>& to) {
  env.loop({Int(0), length(t.sixteens)}, [=, &env](const Int& j) {
    env.move(length(t.blocks) * Int(spec::kC0), from.first + j * from.sixteen, from.row,
             to.first + j * to.sixteen);
  });
}

}  // namespace wgradcheck::impl::cube
