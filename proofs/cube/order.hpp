#pragma once
#include "proofs/cube/tiles.hpp"

/// In what order Ascend's schedule goes through the tiles of a block: impl::cube::each_tile.
namespace wgradcheck::proofs::cube {

/// How to visit them.
struct Order {
  void operator()(auto& env, const auto& grid, const auto& body) const {
    impl::cube::each_tile(env, grid, body);
  }
};

/// Any tile of a block is visited.
template <class Reading, class Visit>
void claim_every(Reading& p, const Visit& visit, bool n_fastest) {
  const auto g = given_grid(p);
  const auto steps = pair(n_fastest, g.step_m, g.step_n);
  const auto i = index_below(p, "i", impl::tiles_of(g.m, g.base_m)),
             j = index_below(p, "j", impl::tiles_of(g.n, g.base_n));
  const IntOf<Reading> zero = 0;
  const auto tile = pair(n_fastest, i, j);
  for (const std::size_t k : {0U, 1U}) p.use(quotient(zero, tile[k], steps[k]));
  const auto v = visited_tile(
      p, visit, g, n_fastest, "",
      {spec::floor_div(tile[0], steps[0]), spec::floor_div(tile[1], steps[1]), tile[0], tile[1]});
  p.claim("the tile", v.i == i && v.j == j);
}

/// Its obligations, those of `visit` in its place being as if it were Order.
template <class Visit>
std::vector<Obligation> order_obligations(const Visit& visit) {
  std::vector<Obligation> all;
  for (const bool n_fastest : {true, false}) {
    const std::string name = n_fastest ? "n_fastest" : "m_fastest";
    all.push_back(
        holds(name, "No tile of a block is visited twice, and those of n in ascending order where m has one.",
              [visit, n_fastest](auto& p) {
                const auto g = given_grid(p);
                const auto a = visited_tile(p, visit, g, n_fastest, "'"),
                           b = visited_tile(p, visit, g, n_fastest, "\"");
                claim_tile(p, g, a, n_fastest);
                claim_ascending(p, g, a, b, n_fastest);
              }));
    all.push_back(holds(name + "_every", "Each tile of a block is visited.",
                        [visit, n_fastest](auto& p) { claim_every(p, visit, n_fastest); }));
  }
  return about_one_text(std::move(all));
}

}  // namespace wgradcheck::proofs::cube
