#pragma once
#include "proofs/host/operation.hpp"

namespace wgradcheck::proofs::host {

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
