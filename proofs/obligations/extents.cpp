#include "impl/partition.hpp"
#include "impl/schedule/blocks.hpp"
#include "impl/tiling.hpp"
#include "proofs/digits.hpp"
#include "proofs/given.hpp"
#include "proofs/obligation.hpp"
#include "proofs/traced.hpp"

/// What schedules form on the way to an extent: shares of cores, tiles, blocks of dW, scratch.
namespace wgradcheck::proofs::obligations {
std::vector<Obligation> extents() {
  return {
      holds("shares", "A core's share is computed by nothing larger than twice the items and the cores.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto total = at_least(p, 0, "total"), cores = at_least(p, 1, "cores"),
                         id = index_below(p, "id", cores);
              std::vector<Int> trace;
              const auto t = [&trace](const Int& value) { return Traced<Int>(value, trace); };
              const auto part = p.subject([&] { return impl::part(t(total), t(cores), t(id)); });
              const auto right = impl::part(total, cores, id);
              const auto share = impl::share(total, cores);
              p.use(product(0 - share - 1, cores));
              p.claim("a share is not negative", 0 <= share);
              p.use(monotone(Int(1), cores, share));
              p.use(monotone(id, cores, share));
              p.use(product(id, share));
              claim_between(p, trace, Int(0 - 2 * (total + cores)), Int(2 * (total + cores)));
              p.claim("the core's part",
                      part.first.value() == right.first && part.last.value() == right.last);
            }),
      holds("tiles", "A tile is computed by nothing larger than all items and a tile.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto total = at_least(p, 0, "total"), size = at_least(p, 1, "size");
              const auto tile = index_below(p, "tile", impl::tiles_of(total, size));
              std::vector<Int> trace;
              const auto t = [&trace](const Int& value) { return Traced<Int>(value, trace); };
              const auto [count, range] = p.subject([&] {
                return std::pair{impl::tiles_of(t(total), t(size)),
                                 impl::tile_range(t(total), t(size), t(tile))};
              });
              const auto right = impl::tile_range(total, size, tile);
              p.claim("the tile", range.first.value() == right.first && range.last.value() == right.last &&
                                      count.value() == impl::tiles_of(total, size));
              p.use(monotone(Int(1), size, total));
              p.use(quotient(0 - total, 0 - total, size));
              p.use(quotient(Int(1), 0 - total, size));
              p.use(quotient(0 - tile, 0 - total, size));
              p.use(product(tile, size));
              claim_between(p, trace, Int(0 - total), total + size);
            }),
      holds("blocks", "Where a block begins is computed by nothing larger than dW.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto groups = at_least(p, 1, "groups"), rows = at_least(p, 1, "rows"),
                         cols = at_least(p, 1, "cols"), g = index_below(p, "g", groups),
                         row = index_below(p, "row", rows), col = index_below(p, "col", cols);
              std::vector<Int> trace;
              const auto t = [&trace](const Int& value) { return Traced<Int>(value, trace); };
              p.subject([&] {
                return impl::first_elem(
                    impl::Extents<Traced<Int>>{t(groups), t(rows), t(cols)},
                    impl::Block<Traced<Int>>{
                        t(g), {t(row), t(rows)}, {t(col), t(cols)}, {t(Int(0)), t(Int(0))}});
              });
              p.use(product(g, rows));
              p.use(positive(groups, rows));
              p.use(product(g * rows + row, cols));
              p.use(monotone(Int(1), cols, groups * rows));
              use_digits(p, {{g, groups}, {row, rows}, {col, cols}});
              claim_between(p, trace, Int(0), groups * rows * cols);
            }),
      holds("block_rows",
            "How many rows a block has is computed by nothing larger than its elements or rows.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto rows = at_least(p, 1, "rows"), cols = at_least(p, 1, "cols"),
                         elems = at_least(p, 0, "elems");
              std::vector<Int> trace;
              const auto t = [&trace](const Int& value) { return Traced<Int>(value, trace); };
              p.subject([&] {
                return impl::block_rows(impl::Extents<Traced<Int>>{t(Int(1)), t(rows), t(cols)}, t(elems),
                                        t(cols));
              });
              const auto q = spec::floor_div(elems, cols);
              p.use(quotient(Int(0), elems, cols));
              p.use(monotone(Int(1), cols, q));
              claim_between(p, trace, Int(0), elems);
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
