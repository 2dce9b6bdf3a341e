#include "targets/ascend/cube.hpp"

#include <algorithm>

#include "impl/schedule/block.hpp"
#include "impl/simd/kernels.hpp"
#include "spec/fractal.hpp"
#include "spec/index.hpp"

namespace wgradcheck::targets::ascend {
namespace {

using Int = std::int64_t;
using Span = impl::Range<Int>;
namespace simd = impl::simd;

constexpr Int kLanes = spec::kC0;
constexpr Int kDepth = 256;  ///< positions packed at once: what a micro-kernel walks between two stores

/// Positions of a slice that one tap reads from one row of Input: `count` of them from `first` on, the first
/// at input[x].
struct Run {
  Int first, count, x;
};

/// What 16 columns read: a block of channels through one tap.
struct Column {
  Int block, kh, kw;
};

template <class T>
Column column_at(const Operands<T>& o, Int sixteen) {
  const Int taps = o.height.kernel * o.width.kernel, block = sixteen / taps, tap = sixteen - block * taps;
  return {block, tap / o.width.kernel, tap % o.width.kernel};
}

/// Calls visit(run) for each run of positions [slice.first, slice.last) that the column reads inside Input.
template <class T, class Visit>
void each_run(const Operands<T>& o, const Column& c, const Span& slice, Visit visit) {
  const Int wo = o.width.output;
  const Span rows = impl::meet(impl::touched(o.height, c.kh), {o.first_row + slice.first / wo,
                                                               o.first_row + spec::ceil_div(slice.last, wo)});
  const Span inside = impl::touched(o.width, c.kw);
  for (Int oh = rows.first; oh < rows.last; ++oh) {
    const Int row = (oh - o.first_row) * wo;
    const Span reads = impl::meet(inside, impl::shifted(slice, -row));
    if (reads.first == reads.last) continue;
    const Int hi = spec::input_at(o.height, oh, c.kh) - o.input_row,
              wi = spec::input_at(o.width, reads.first, c.kw);
    visit(Run{row + reads.first - slice.first, impl::length(reads),
              spec::ndc1hwc0<Int>(1, 1, o.height.input, o.width.input, 0, 0, hi, wi, {c.block, 0})});
  }
}

/// Copies a run's pixels of Input to rows of `to`.
template <class T>
void stage(const Operands<T>& o, const Run& run, simd::Matrix<float> to) {
  simd::copy<T>(run.count, kLanes, {o.input + run.x, o.width.stride * kLanes}, to);
}

/// The slice's columns, padding as 0.
template <class T>
void pack(const Operands<T>& o, const Tile& t, const Span& slice, float* to) {
  const Int cols = impl::length(t.columns), depth = impl::length(slice);
  for (Int j = 0; j < cols; j += kLanes) {
    const Column c = column_at(o, (t.columns.first + j) / kLanes);
    Int covered = 0;
    each_run(o, c, slice, [&](const Run& run) { covered += run.count; });
    if (covered < depth)
      for (Int k = 0; k < depth; ++k) std::fill_n(to + k * cols + j, kLanes, 0.0f);
    each_run(o, c, slice, [&](const Run& run) { stage(o, run, {to + run.first * cols + j, cols}); });
  }
}

/// Adds run by run, so that a padded tap meets nothing.
template <class T>
void add_runs(const Operands<T>& o, const Tile& t, const Span& slice, Panels& p, float* sums) {
  const Int rows = impl::length(t.channels), cols = impl::length(t.columns);
  for (Int j = 0; j < cols; j += kLanes)
    each_run(o, column_at(o, (t.columns.first + j) / kLanes), slice, [&](const Run& run) {
      stage(o, run, {p.b.data(), kLanes});
      simd::add_product<float>(rows, kLanes, run.count, {p.a.data() + run.first * rows, rows},
                               {p.b.data(), kLanes}, {sums + j, cols});
    });
}

}  // namespace

template <class T>
void add_tile(const Operands<T>& o, const Tile& t, Panels& p, float* sums) {
  const Int rows = impl::length(t.channels), cols = impl::length(t.columns);
  const Int deepest = std::min(t.positions, kDepth), plane = o.height.output * o.width.output;
  p.a.resize(static_cast<std::size_t>(deepest * rows));
  p.b.resize(static_cast<std::size_t>(deepest * cols));
  for (Int k = 0; k < t.positions; k += kDepth) {
    const Span slice{k, std::min(t.positions, k + kDepth)};
    const Int depth = impl::length(slice);
    for (Int i = 0; i < rows; i += kLanes)
      simd::copy<T>(depth, kLanes, {o.grad + (t.channels.first + i) * plane + k * kLanes, kLanes},
                    {p.a.data() + i, rows});
    if (simd::all_finite<float>(depth, rows, {p.a.data(), rows})) {
      pack(o, t, slice, p.b.data());
      simd::add_product<float>(rows, cols, depth, {p.a.data(), rows}, {p.b.data(), cols}, {sums, cols});
    } else {
      add_runs(o, t, slice, p, sums);
    }
  }
}

template void add_tile(const Operands<impl::Half>&, const Tile&, Panels&, float*);
template void add_tile(const Operands<impl::Bfloat>&, const Tile&, Panels&, float*);

}  // namespace wgradcheck::targets::ascend
