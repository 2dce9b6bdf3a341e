#pragma once
#include <utility>

#include "impl/schedule/staged.hpp"
#include "impl/schedule/view.hpp"

/// What the host library's schedules ask of their environment, by the names and in the order of
/// impl::host::Run's functions.
namespace wgradcheck::proofs::host {

/// What a comparison of such integers gives.
template <class Int>
using TruthOf = decltype(std::declval<const Int&>() == std::declval<const Int&>());

template <class Int>
struct Box {
  Int planes, lines, pixels;
};
template <class Int>
struct Extents {
  Int rows, columns;
};

template <class Int>
struct ClearIfNone {
  Int outputs, first, taps;
};
template <class Int>
struct InPlace {
  Extents<Int> extents;
  Box<Int> box;
  impl::View<Int> dy, x;
  Int tap;
  TruthOf<Int> first;
};

template <class Int>
struct PackDy {
  Int groups, count, channels, from, area, first;
};
template <class Int>
struct PackX {
  Int groups, count, channels, from, step, area, first;
};
template <class Int>
struct ClearX {
  Int count, at;
};
template <class Int>
struct WidenX {
  Int count, channels, from, step, to;
};
template <class Int>
struct WidenLanes {
  Int count, channels, from, step, to;
};
template <class Int>
struct SpreadDy {
  Int count;
  impl::Range<Int> channels;
  Int from, to, map;
};
template <class Int>
struct Steps {
  Int row, column;
};
/// Where sums of lanes lie, and whether they begin.
template <class Int>
struct LaneSums {
  Int tap, taps_of_row;
  TruthOf<Int> first;
};
template <class Int>
struct LaneProducts {
  Int lanes;
  Extents<Int> taps;
  Steps<Int> steps;
  Box<Int> box;
  impl::View<Int> dy;
  Int map;
  impl::View<Int> x;
  LaneSums<Int> sums;
};
template <class Int>
struct FiniteDy {
  TruthOf<Int> needed;
  impl::Part<Int> part;
  impl::Outputs<Int> outputs;
};
/// Steps of staged pixels, and where the first is.
template <class Int>
struct Staged {
  Int at, plane, line, pixel, area;
};
template <class Int>
struct Product {
  Int group;
  Extents<Int> extents;
  Box<Int> box;
  Staged<Int> dy, x;
  Int tap;
  TruthOf<Int> first;
};

/// The operations of an environment that hands each of them to Self's meet(operation). Self chooses whether
/// dy is finite, and whether dy and x are read in place, too.
template <class Int, class Self>
class Operations {
 public:
  void clear_if_none(const Int& outputs, const Int& first, const Int& taps) {
    self().meet(ClearIfNone<Int>{outputs, first, taps});
  }
  void product_in_place(const Extents<Int>& extents, const Box<Int>& box, const impl::View<Int>& dy,
                        const impl::View<Int>& x, const Int& tap, const TruthOf<Int>& first) {
    self().meet(InPlace<Int>{extents, box, dy, x, tap, first});
  }
  void pack_dy(const Int& groups, const Int& count, const Int& channels, const Int& from, const Int& area,
               const Int& first) {
    self().meet(PackDy<Int>{groups, count, channels, from, area, first});
  }
  void pack_x(const Int& groups, const Int& count, const Int& channels, const Int& from, const Int& step,
              const Int& area, const Int& first) {
    self().meet(PackX<Int>{groups, count, channels, from, step, area, first});
  }
  void clear_x(const Int& count, const Int& at) { self().meet(ClearX<Int>{count, at}); }
  void widen_x(const Int& count, const Int& channels, const Int& from, const Int& step, const Int& to) {
    self().meet(WidenX<Int>{count, channels, from, step, to});
  }
  auto finite_dy(const TruthOf<Int>& needed, const spec::BasicShape<Int>&, const impl::Part<Int>& part,
                 const impl::Outputs<Int>& o) {
    self().meet(FiniteDy<Int>{needed, part, o});
    return self().chosen_finite();
  }
  void product(const Int& group, const Extents<Int>& extents, const Box<Int>& box, const Staged<Int>& dy,
               const Staged<Int>& x, const Int& tap, const TruthOf<Int>& first) {
    self().meet(Product<Int>{group, extents, box, dy, x, tap, first});
  }
  void widen_lanes(const Int& count, const Int& channels, const Int& from, const Int& step, const Int& to) {
    self().meet(WidenLanes<Int>{count, channels, from, step, to});
  }
  void spread_dy(const Int& count, const impl::Range<Int>& channels, const Int& from, const Int& to,
                 const Int& map) {
    self().meet(SpreadDy<Int>{count, channels, from, to, map});
  }
  void lane_products(const Int& lanes, const Extents<Int>& taps, const Steps<Int>& steps, const Box<Int>& box,
                     const impl::View<Int>& dy, const Int& map, const impl::View<Int>& x, const Int& tap,
                     const Int& taps_of_row, const TruthOf<Int>& first) {
    self().meet(LaneProducts<Int>{lanes, taps, steps, box, dy, map, x, {tap, taps_of_row, first}});
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace wgradcheck::proofs::host
