#pragma once
#include <algorithm>
#include <type_traits>

#include "impl/schedule/lanes.hpp"
#include "impl/simd/lanes.hpp"

namespace wgradcheck::impl::host {

/// Where the sums of a part lie, in floats: group g of the part, output channel or map i, tap t, input
/// channel or lane c at at[g * group + i * row + t * tap + c * column].
struct SumsLayout {
  float* at;
  std::int64_t group, row, tap, column;
};

/// The environment in which the host library's schedules run. Offsets and steps count elements.
template <class T>
class Run {
 public:
  using Int = std::int64_t;

  struct Memory {
    const T* dy;
    const T* x;
    SumsLayout sums;
    float* packed_dy;  ///< staged pixels
    float* packed_x;
    bool fresh;                 ///< sums begin at nothing, not at what is there
    bool swapped;               ///< the columns of dW take the tile's rows
    bool mixed;                 ///< a pixel of dy is as wide as one of x, and lanes of a group share it
    Int groups, rows, columns;  ///< of the sums: output channels or maps, and input channels or lanes
  };
  Run(const spec::Shape& s, const Memory& memory) : s_(s), m_(memory) {}

  template <class Body>
  void loop(const Range<Int>& range, const Body& body) {
    for (Int i = range.first; i < range.last; ++i) body(i);
  }
  template <class Body>
  void tiles(const Range<Int>& range, Int size, const Body& body) {
    for (Int i = range.first; i < range.last; i += size) body(Range<Int>{i, std::min(range.last, i + size)});
  }
  template <class Body>
  void unless_empty(const Range<Int>& range, const Body& body) {
    if (range.first < range.last) body(range);
  }
  template <class Then, class Else>
  void either(bool condition, const Then& then, const Else& otherwise) {
    if (condition)
      then();
    else
      otherwise();
  }

  /// Where fresh sums of taps [first, first + taps) get no product, they are 0.
  void clear_if_none(Int outputs, Int first, Int taps) {
    if (outputs > 0 || !m_.fresh) return;
    for (Int g = 0; g < m_.groups; ++g)
      for (Int i = 0; i < m_.rows; ++i)
        for (Int t = first; t < first + taps; ++t)
          for (Int c = 0; c < m_.columns; ++c)
            m_.sums.at[g * m_.sums.group + i * m_.sums.row + t * m_.sums.tap + c * m_.sums.column] = 0;
  }

  void pack_dy(Int groups, Int count, Int channels, Int from, Int area, Int first) {
    const simd::Pack<T> pack{groups, spec::out_per_group(s_), count, channels, m_.dy + from, s_.out_channels};
    if (m_.swapped)
      simd::pack_columns(pack, area, first, m_.packed_dy);
    else
      simd::pack_rows(pack, area, first, m_.packed_dy);
  }
  void pack_x(Int groups, Int count, Int channels, Int from, Int step, Int area, Int first) {
    if (count > 0)
      simd::pack_columns<T>({groups, spec::in_per_group(s_), count, channels, m_.x + from, step}, area, first,
                            m_.packed_x);
  }
  void clear_x(Int count, Int at) { std::fill_n(m_.packed_x + at, count, 0.0f); }
  void widen_x(Int count, Int channels, Int from, Int step, Int to) {
    if (count > 0) simd::widen<T>(count, channels, m_.x + from, step, m_.packed_x + to, channels);
  }
  /// Whether the box's pixels of dy are finite, channels part.outs, or need not be.
  bool finite_dy(bool needed, const spec::Shape& s, const Part<Int>& part, const Outputs<Int>& o) {
    bool all = true;
    if (!needed) return all;
    each_line_of_dy(*this, s, o, part.groups.first, part.outs.first, [&](Int, Int, Int dy) {
      all = all && simd::finite<T>(length(o.pixels), length(part.outs), m_.dy + dy, s.out_channels);
    });
    return all;
  }

  struct Extents {
    Int rows, columns;
  };
  /// Steps of staged pixels, and where the first is: as simd::Pixels counts them.
  struct Staged {
    Int at, plane, line, pixel, area;
  };
  /// sums[group][i][tap][j] (+)= sum over the box of dy(p, y, x)[i] * x(p, y, x)[j].
  void product(Int group, const Extents& e, const simd::Box& box, const Staged& dy, const Staged& x, Int tap,
               bool first) {
    // A group's pixels lie behind those of the one before.
    const Int dy_group = dy.area * (m_.swapped ? simd::packed_columns(e.rows) : simd::packed_rows(e.rows));
    const Int x_group = x.area * simd::packed_columns(e.columns);
    const simd::Pixels a{m_.packed_dy + group * dy_group, dy.at, dy.plane, dy.line, dy.pixel, dy.area};
    const simd::Pixels b{m_.packed_x + group * x_group, x.at, x.plane, x.line, x.pixel, x.area};
    float* const to = m_.sums.at + group * m_.sums.group + tap * m_.sums.tap;
    const bool fresh = m_.fresh && first;
    if (m_.swapped)
      simd::add_outer(e.columns, e.rows, box, b, a, {to, m_.sums.column, fresh});
    else
      simd::add_outer(e.rows, e.columns, box, a, b, {to, m_.sums.row, fresh});
  }

  /// The same of pixels where they are.
  void product_in_place(const Extents& e, const simd::Box& box, const View<Int>& dy, const View<Int>& x,
                        Int tap, bool first) {
    if constexpr (std::is_same_v<T, float>)
      simd::add_outer(e.rows, e.columns, box, {m_.dy, dy.at, dy.plane, dy.line, dy.pixel, 0},
                      {m_.x, x.at, x.plane, x.line, x.pixel, 0},
                      {m_.sums.at + tap * m_.sums.tap, m_.sums.row, m_.fresh && first});
  }

  bool x_in_place() const { return std::is_same_v<T, float>; }
  bool dy_in_place() const { return std::is_same_v<T, float> && m_.mixed; }
  void widen_lanes(Int count, Int channels, Int from, Int step, Int to) {
    if (!x_in_place()) widen_x(count, channels, from, step, to);
  }
  /// Map m, lane l of each pixel is dy's output channel m of the group of input channel l.
  void spread_dy(Int count, const Range<Int>& channels, Int from, Int to, Int map) {
    if (dy_in_place()) return;
    const Int ci = spec::in_per_group(s_), co = spec::out_per_group(s_);
    if (m_.mixed) return widen_dy(count, length(channels), from + channels.first, to);
    for (Int m = 0; m < co; ++m)
      simd::spread<T>(count, channels.first, channels.last, ci, co, m, m_.dy + from, s_.out_channels,
                      m_.packed_dy + to + m * map);
  }
  void widen_dy(Int count, Int channels, Int from, Int to) {
    simd::widen<T>(count, channels, m_.dy + from, s_.out_channels, m_.packed_dy + to, channels);
  }
  struct Steps {
    Int row, column;
  };
  void lane_products(Int lanes, const Extents& taps, const Steps& steps, const simd::Box& box,
                     const View<Int>& dy, Int map, const View<Int>& x, Int tap, Int taps_of_row, auto fresh) {
    const auto base = [](const T* memory, const float* packed, bool in_place) {
      if constexpr (std::is_same_v<T, float>) return in_place ? memory : packed;
      return packed;
    };
    const float* const from_dy = base(m_.dy, m_.packed_dy, dy_in_place());
    const float* const from_x = base(m_.x, m_.packed_x, x_in_place());
    simd::add_lanes(lanes, box, {taps.rows, taps.columns, steps.row, steps.column},
                    {spec::out_per_group(s_), map, m_.mixed && spec::out_per_group(s_) > 1},
                    {from_dy, dy.at, dy.plane, dy.line, dy.pixel, 0},
                    {from_x, x.at, x.plane, x.line, x.pixel, 0},
                    {m_.sums.at + tap * m_.sums.tap, m_.sums.row, taps_of_row * m_.sums.tap, m_.sums.tap,
                     m_.fresh && fresh});
  }

 private:
  spec::Shape s_;
  Memory m_;
};

}  // namespace wgradcheck::impl::host
