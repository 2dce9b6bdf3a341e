#pragma once
#include "impl/schedule/block.hpp"

/// How all of dW is cut into blocks.
namespace wgradcheck::impl {

/// dW as matrices: one a group, each [rows][cols]. The depthwise path has one, whose rows are the channels.
template <class Int>
struct Extents {
  Int groups, rows, cols;
};

inline Extents<std::int64_t> extents_of(const spec::Call<std::int64_t>& c) {
  const std::int64_t groups = spec::is_depthwise(c) ? 1 : c.group;
  return {groups, c.output_channel / groups, spec::row_elems(c)};
}

/// Rows of a block of `cols` columns that has at most `elems` elements; at least 1 where elems >= cols.
template <class Int>
Int block_rows(const Extents<Int>& e, const Int& elems, const Int& cols) {
  return spec::min(e.rows, spec::floor_div(elems, cols));
}

/// Calls visit(block) for blocks of at most `rows` rows and `cols` columns that cover dW, each for the
/// products of the same images. Requires rows and cols of at least 1.
template <class Env, class Int, class Visit>
void each_block(Env& env, const Extents<Int>& e, const Int& rows, const Int& cols, const Range<Int>& images,
                const Visit& visit) {
  env.loop({Int(0), e.groups}, [=, &env](const Int& g) {
    env.tiles({Int(0), e.cols}, cols, [=, &env](const Range<Int>& columns) {
      env.tiles({Int(0), e.rows}, rows, [=](const Range<Int>& lines) {
        visit(Block<Int>{g, lines, columns, images});
      });
    });
  });
}

/// Where in dW the block's first element is.
template <class Int>
Int first_elem(const Extents<Int>& e, const Block<Int>& b) {
  return (b.group * e.rows + b.rows.first) * e.cols + b.cols.first;
}

}  // namespace wgradcheck::impl
