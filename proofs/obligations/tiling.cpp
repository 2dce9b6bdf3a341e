#include "impl/tiling.hpp"

#include "proofs/cube/list.hpp"
#include "proofs/digits.hpp"
#include "proofs/obligation.hpp"

/// Ascend's blocks: M, N and K cut into tiles, and the list of all products that cores share.
namespace wgradcheck::proofs::obligations {
namespace {

/// How many tiles there are of each, at least one.
template <class Reading>
impl::Work<IntOf<Reading>> given_counts(Reading& p) {
  const auto rows = at_least(p, 1, "row tiles"), n = at_least(p, 1, "batch"), depth = at_least(p, 1, "dout"),
             kd = at_least(p, 1, "dk"), m = at_least(p, 1, "m tiles"), cols = at_least(p, 1, "n tiles");
  return {rows, n, depth, kd, m, cols};
}

}  // namespace

std::vector<Obligation> tiling() {
  return {
      holds("once", "Each item is in its own tile and in no other.",
            [](auto& p) {
              const auto total = at_least(p, 1, "total"), size = at_least(p, 1, "size");
              const auto item = index_below(p, "item", total), tile = p.integer("tile");
              const auto [range, own] = p.subject([&] {
                return std::pair(impl::tile_range(total, size, tile), impl::tile_with(size, item));
              });
              p.use(quotient(tile, item, size));
              p.use(quotient(tile + 1, item, size));
              p.claim("in its own tile alone", iff(impl::contains(range, item), tile == own));
            }),
      holds("all", "An item's tile is one of those that there are.",
            [](auto& p) {
              const auto total = at_least(p, 1, "total"), size = at_least(p, 1, "size");
              const auto item = index_below(p, "item", total);
              const auto [tiles, own] = p.subject(
                  [&] { return std::pair(impl::tiles_of(total, size), impl::tile_with(size, item)); });
              p.use(quotient(IntOf<decltype(p)>(0), item, size));
              // own * size <= item < total <= tiles * size.
              p.use(monotone(tiles, own, size));
              p.claim("one of them", 0 <= own && own < tiles);
            }),
      holds("filled", "No tile is empty or passes the end: 0 <= first < last <= total.",
            [](auto& p) {
              const auto total = at_least(p, 1, "total"), size = at_least(p, 1, "size");
              const auto tiles = impl::tiles_of(total, size), tile = index_below(p, "tile", tiles);
              const auto range = p.subject([&] { return impl::tile_range(total, size, tile); });
              p.use(product(tile, size));
              p.use(monotone(tile, tiles - 1, size));
              p.claim("inside", 0 <= range.first && range.last <= total);
              p.claim("not empty", range.first < range.last);
              p.claim("no larger than the size", range.last - range.first <= size);
            }),
      holds("whole", "Tiles of whole sixteens of a total of whole sixteens are whole sixteens.",
            [](auto& p) {
              const auto total16 = at_least(p, 1, "total/16"), size16 = at_least(p, 1, "size/16");
              const auto tile = p.integer("tile");
              const auto range = p.subject([&] { return impl::tile_range(total16 * 16, size16 * 16, tile); });
              const auto in16 = impl::tile_range(total16, size16, tile);
              p.claim("sixteen times as much",
                      range.first == in16.first * 16 && range.last == in16.last * 16);
            }),
      holds("there_and_back", "The product at the place of a product is that product.",
            [](auto& p) {
              const auto c = given_counts(p);
              const auto rows = index_below(p, "row tile", c.rows), n = index_below(p, "n", c.n),
                         depth = index_below(p, "do", c.depth), kd = index_below(p, "kd", c.kd),
                         m = index_below(p, "m tile", c.m), cols = index_below(p, "n tile", c.cols);
              const auto back = p.subject([&] {
                return impl::work_at(c, impl::place_of(c, {rows, n, depth, kd, m, cols}));
              });
              cube::claim_digits_back(p, c, {rows, n, depth, kd, m, cols});
              p.claim("the same product", back.rows == rows && back.n == n && back.depth == depth &&
                                              back.kd == kd && back.m == m && back.cols == cols);
            }),
      holds("back_and_there", "The place of the product at a place is that place, and its tiles exist.",
            [](auto& p) {
              const auto c = given_counts(p);
              const auto place = index_below(p, "place", c.rows * c.n * c.depth * c.kd * c.m * c.cols);
              const auto [work, back] = p.subject([&] {
                const auto at = impl::work_at(c, place);
                return std::pair(at, impl::place_of(c, at));
              });
              cube::use_digits_of(p, c, place);
              p.claim("the same place", back == place);
              p.claim("rows", 0 <= work.rows && work.rows < c.rows);
              p.claim("image and depth",
                      0 <= work.n && work.n < c.n && 0 <= work.depth && work.depth < c.depth);
              p.claim("kd", 0 <= work.kd && work.kd < c.kd);
              p.claim("tiles of M and N",
                      0 <= work.m && work.m < c.m && 0 <= work.cols && work.cols < c.cols);
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
