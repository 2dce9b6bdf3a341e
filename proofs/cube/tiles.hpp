#pragma once
#include <array>
#include <type_traits>

#include "impl/schedule/cube_tiles.hpp"
#include "proofs/digits.hpp"
#include "proofs/obligation.hpp"
#include "proofs/schedule/prove.hpp"

/// What is claimed of the tiles of a block that are visited.
namespace wgradcheck::proofs::cube {

template <class Int>
using Grid = impl::cube::Grid<Int>;

template <class Reading>
Grid<IntOf<Reading>> given_grid(Reading& p) {
  const auto m = at_least(p, 1, "m"), n = at_least(p, 1, "n"), base_m = at_least(p, 1, "base_m"),
             base_n = at_least(p, 1, "base_n"), step_m = at_least(p, 1, "step_m"),
             step_n = at_least(p, 1, "step_n"), order = p.integer("iterate_order");
  return {m, n, base_m, base_n, step_m, step_n, order};
}

/// A tile by its numbers, and the choices that lead to it: groups of tiles, then tiles, the slower ones
/// first.
template <class Int>
struct VisitedTile {
  Int i, j;
  std::vector<Int> choices;
};

/// A tile on the way through each_tile, in the order where tiles of n run fastest or in the other one.
template <class Reading, class Visit>
VisitedTile<IntOf<Reading>> visited_tile(Reading& p, const Visit& visit, const Grid<IntOf<Reading>>& grid,
                                         bool n_fastest, const std::string& suffix,
                                         std::vector<IntOf<Reading>> choices = {}) {
  using Int = IntOf<Reading>;
  std::vector<impl::cube::Tile<Int>> met;
  const bool shown = !choices.empty();
  Prove<Reading> way(p, Int(1), Int(1),
                     {{Place{n_fastest ? 0 : 1, 1, 1, 0, 0, 0}}, std::move(choices), shown, suffix});
  Mutation::current().next = 0;
  p.subject([&] {
    visit(way, grid, [&met](const Int& i, const Int& j) { met.push_back({{i, i}, {j, j}, i}); });
    return true;
  });
  p.see(met.at(0).blocks.first);
  p.see(met.at(0).sixteens.first);
  return {met.at(0).blocks.first, met.at(0).sixteens.first, way.choices()};
}

/// The slower of m and n, then the other.
template <class Int>
std::array<Int, 2> pair(bool n_fastest, const Int& m, const Int& n) {
  return n_fastest ? std::array{m, n} : std::array{n, m};
}

/// A tile that is visited is one of the block's, in the order that the grid asks for, and the way to it
/// follows from its numbers.
template <class Reading>
void claim_tile(Reading& p, const Grid<IntOf<Reading>>& g, const VisitedTile<IntOf<Reading>>& v,
                bool n_fastest) {
  const auto steps = pair(n_fastest, g.step_m, g.step_n), tile = pair(n_fastest, v.i, v.j);
  p.claim("the order that is asked for", n_fastest ? g.iterate_order == 0 : g.iterate_order != 0);
  p.claim("a tile of m", 0 <= v.i && v.i < impl::tiles_of(g.m, g.base_m));
  p.claim("a tile of n", 0 <= v.j && v.j < impl::tiles_of(g.n, g.base_n));
  for (const std::size_t k : {0U, 1U}) {
    for (const IntOf<Reading> next : {0, 1}) p.use(quotient(v.choices[k] + next, tile[k], steps[k]));
    p.claim("its group", v.choices[k] == spec::floor_div(tile[k], steps[k]));
    p.claim("its number", v.choices[k + 2] == tile[k]);
  }
}

/// Where there is one tile of m, a tile that is visited before another one lies before it.
template <class Reading>
void claim_ascending(Reading& p, const Grid<IntOf<Reading>>& g, const VisitedTile<IntOf<Reading>>& a,
                     const VisitedTile<IntOf<Reading>>& b, bool n_fastest) {
  const auto before = [&](std::size_t k) { return a.choices[k] < b.choices[k]; };
  const auto equal = [&](std::size_t k) { return a.choices[k] == b.choices[k]; };
  const auto one = impl::tiles_of(g.m, g.base_m) == 1;
  const std::size_t m = n_fastest ? 0 : 1, n = 1 - m;
  for (const auto& tile : {a, b}) p.use(positive(tile.choices[m], g.step_m));
  p.use(monotone(a.choices[n] + 1, b.choices[n], g.step_n));
  p.claim("the tile of m", implies(one, a.i == 0 && b.i == 0));
  p.claim("ascending",
          implies(one && (before(0) ||
                          (equal(0) && (before(1) || (equal(1) && (before(2) || (equal(2) && before(3))))))),
                  a.j < b.j));
}

}  // namespace wgradcheck::proofs::cube
