#include "impl/schedule/blocks.hpp"

#include <type_traits>

#include "proofs/digits.hpp"
#include "proofs/obligation.hpp"
#include "proofs/schedule/prove.hpp"

/// How the drivers cut all of dW into blocks: impl::each_block.
namespace wgradcheck::proofs::obligations {
namespace {

/// Any cut of any dW: its extents, and the rows and columns of a block.
template <class Reading>
struct Cut {
  impl::Extents<IntOf<Reading>> extents;
  IntOf<Reading> rows, cols;
};

template <class Reading>
Cut<Reading> given_cut(Reading& p) {
  const auto groups = at_least(p, 1, "groups"), rows = at_least(p, 1, "rows"), cols = at_least(p, 1, "cols");
  const auto block_rows = at_least(p, 1, "block.rows"), block_cols = at_least(p, 1, "block.cols");
  return {{groups, rows, cols}, block_rows, block_cols};
}

/// The block on a way through each_block; what it is given besides the cut does not matter.
template <class Reading>
impl::Block<IntOf<Reading>> block_on(
    Reading& p, const Cut<Reading>& cut, std::vector<IntOf<Reading>> choices = {},
    std::type_identity_t<std::function<void(const Prove<Reading>&)>> before = {}) {
  using Int = IntOf<Reading>;
  std::vector<impl::Block<Int>> met;
  const Place innermost{0, 1, 1, 0};
  const bool shown = !choices.empty();
  Prove<Reading> way(p, Int(1), Int(1), {{innermost}, std::move(choices), shown, "", std::move(before)});
  return p.subject([&] {
    impl::each_block(way, cut.extents, cut.rows, cut.cols, impl::Range<Int>{0, 1},
                     [&met](const impl::Block<Int>& block) { met.push_back(block); });
    return met.at(0);
  });
}

}  // namespace

std::vector<Obligation> blocks() {
  return {
      holds("rows_fit", "A block of as many elements as are given has a row, and no more elements than that.",
            [](auto& p) {
              const auto e = given_cut(p).extents;
              const auto elems = p.integer("elems"), cols = at_least(p, 1, "panel");
              p.assume("a row fits", cols <= elems);
              const auto rows = p.subject([&] { return impl::block_rows(e, elems, cols); });
              p.use(quotient(IntOf<decltype(p)>(1), elems, cols));
              p.use(monotone(rows, spec::floor_div(elems, cols), cols));
              p.claim("a row", 1 <= rows);
              p.claim("no more", rows <= e.rows && rows * cols <= elems);
            }),
      holds("sums", "Each block is part of a group's rows and columns, and each of its sums lies in dW.",
            [](auto& p) {
              const auto cut = given_cut(p);
              const auto& e = cut.extents;
              const auto b = block_on(p, cut);
              p.claim("a group", 0 <= b.group && b.group < e.groups);
              p.claim("rows", 0 <= b.rows.first && b.rows.first < b.rows.last && b.rows.last <= e.rows);
              p.claim("columns", 0 <= b.cols.first && b.cols.first < b.cols.last && b.cols.last <= e.cols);
              const auto i = index_below(p, "i", length(b.rows)), j = index_below(p, "j", length(b.cols));
              const auto offset = p.subject([&] { return impl::first_elem(e, b); }) + i * e.cols + j;
              use_digits(p, {{b.group, e.groups}, {b.rows.first + i, e.rows}, {b.cols.first + j, e.cols}});
              p.claim("in dW", 0 <= offset && offset < e.groups * e.rows * e.cols);
            }),
      holds("every", "Each element of dW is one of a block's sums.",
            [](auto& p) {
              const auto cut = given_cut(p);
              const auto& e = cut.extents;
              const auto g = index_below(p, "g", e.groups), row = index_below(p, "row", e.rows),
                         col = index_below(p, "col", e.cols);
              const auto lemmas = [&](const auto&) {
                p.use(quotient(IntOf<decltype(p)>(0), col, cut.cols));
                p.use(quotient(IntOf<decltype(p)>(0), row, cut.rows));
              };
              const auto b = block_on(
                  p, cut, {g, spec::floor_div(col, cut.cols), spec::floor_div(row, cut.rows)}, lemmas);
              const auto i = row - b.rows.first, j = col - b.cols.first;
              p.claim("a row of the block", 0 <= i && i < length(b.rows));
              p.claim("a column of the block", 0 <= j && j < length(b.cols));
              p.claim("the element", p.subject([&] { return impl::first_elem(e, b); }) + i * e.cols + j ==
                                         (g * e.rows + row) * e.cols + col);
            }),
      holds("once", "No element of dW is in two blocks: the block follows from the element.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto cut = given_cut(p);
              const auto& e = cut.extents;
              std::vector<Int> choices;
              const auto b = block_on(p, cut, {}, [&](const auto& way) {
                if (way.choices().size() == 3)
                  for (const Int& choice : way.choices()) choices.push_back(choice);
              });
              const auto i = index_below(p, "i", length(b.rows)), j = index_below(p, "j", length(b.cols));
              const auto offset = p.subject([&] { return impl::first_elem(e, b); }) + i * e.cols + j;
              const auto row = b.rows.first + i, col = b.cols.first + j, line = b.group * e.rows + row;
              claim_quotient(p, line, offset, e.cols);
              claim_quotient(p, b.group, spec::floor_div(offset, e.cols), e.rows);
              const auto line_of = spec::floor_div(offset, e.cols), g_of = spec::floor_div(line_of, e.rows);
              const auto col_of = offset - line_of * e.cols, row_of = line_of - g_of * e.rows;
              p.claim("its row and column", row_of == row && col_of == col);
              for (const Int next : {0, 1}) {
                p.use(quotient(choices[1] + next, col_of, cut.cols));
                p.use(quotient(choices[2] + next, row_of, cut.rows));
              }
              p.claim("the group", choices[0] == g_of);
              p.claim("the tile of columns", choices[1] == spec::floor_div(col_of, cut.cols));
              p.claim("the tile of rows", choices[2] == spec::floor_div(row_of, cut.rows));
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
