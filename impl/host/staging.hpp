#pragma once
#include <algorithm>
#include <type_traits>

#include "impl/host/foreseen.hpp"
#include "impl/loops.hpp"
#include "impl/schedule/staged.hpp"
#include "impl/simd/kernels.hpp"
#include "impl/simd/pack.hpp"

namespace wgradcheck::impl::host {

/// Where the sums of a part lie, in floats: group g of the part, output channel or map i, tap t, input
/// channel or lane c at at[g * group + i * row + t * tap + c * column].
struct SumsLayout {
  float* at;
  std::int64_t group, row, tap, column;
};

/// What a part is computed from and into.
template <class T>
struct Memory {
  const T* dy;
  const T* x;
  SumsLayout sums;
  float* packed_dy;  ///< staged pixels
  float* packed_x;
  std::int64_t products;   ///< of a box
  bool fresh;              ///< sums begin at nothing, not at what is there
  bool streams;            ///< fresh sums are stored past the caches
  bool swapped;            ///< the columns of dW take the tile's rows
  bool as_is;              ///< pixels lie in the tensors as the staged ones would: they are not packed
  bool mixed;              ///< a pixel of dy is as wide as one of x, and lanes of a group share it
  std::int64_t next_part;  ///< lanes: from the part's first to that of the thread's next part, or 0
  std::int64_t groups, rows, columns;  ///< of the sums: output channels or maps, and input channels or lanes
};

/// The part of the environment that stages pixels as floats. Offsets and steps count elements.
template <class T>
class Staging : public Loops {
 public:
  Staging(const spec::Shape& s, const Memory<T>& memory)
      : s_(s), m_(memory), foreseen_(s, memory.dy, memory.x) {}

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
    foreseen_.read_dy(from, groups * channels);
    if (m_.as_is) {
      if (first == 0) dy_from_ = from;
      return;
    }
    const simd::Pack<T> pack{groups, spec::out_per_group(s_), count, channels, m_.dy + from, s_.out_channels};
    if (m_.swapped)
      simd::pack_columns(pack, area, first, m_.packed_dy);
    else
      simd::pack_rows(pack, area, first, m_.packed_dy);
  }
  void pack_x(Int groups, Int count, Int channels, Int from, Int step, Int area, Int first) {
    foreseen_.read_x(from, groups * channels);
    if (m_.as_is) {
      if (first == 0) x_from_ = from;
      return;
    }
    if (count > 0)
      simd::pack_columns<T>({groups, spec::in_per_group(s_), count, channels, m_.x + from, step}, area, first,
                            m_.packed_x);
  }
  void clear_x(Int count, Int at) { std::fill_n(m_.packed_x + at, count, 0.0f); }
  void widen_x(Int count, Int channels, Int from, Int step, Int to) {
    foreseen_.read_x(from, channels);
    if (count > 0) simd::copy<T>(count, channels, {m_.x + from, step}, {m_.packed_x + to, channels});
  }
  /// Whether the box's pixels of dy are finite, channels part.outs, or need not be.
  bool finite_dy(bool needed, const spec::Shape& s, const Part<Int>& part, const Outputs<Int>& o) {
    bool all = true;
    if (!needed) return all;
    each_line_of_dy(*this, s, o, part.groups.first, part.outs.first, [&](Int, Int, Int dy) {
      all = all && simd::all_finite<T>(length(o.pixels), length(part.outs), {m_.dy + dy, s.out_channels});
    });
    return all;
  }

 protected:
  Foreseen<T>& foreseen() { return foreseen_; }
  /// Offsets of the box's first pixels where they are not packed.
  Int dy_from_ = 0, x_from_ = 0;
  const spec::Shape& shape() const { return s_; }
  const Memory<T>& memory() const { return m_; }

 private:
  spec::Shape s_;
  Memory<T> m_;
  Foreseen<T> foreseen_;
};

}  // namespace wgradcheck::impl::host
