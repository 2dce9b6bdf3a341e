#pragma once
#include <functional>
#include <vector>

#include "impl/schedule/staged.hpp"
#include "impl/schedule/view.hpp"
#include "impl/trace.hpp"

namespace wgradcheck::impl::host {

/// The environment in which a schedule of the host library tells what it does to a part of dW: it runs, and
/// each operation is recorded. Offsets and steps count elements. Throws Stray where the schedule leaves an
/// array, memory set apart, or the part's sums, begins sums twice or never, reads what is not staged, or,
/// where pixels are read as they are, would stage them otherwise than they lie.
class Trace : public Loops {
 public:
  /// What the machine chooses and no result may depend on.
  struct Machine {
    Int dy, x;                     ///< floats set apart for staged pixels
    bool x_in_place, dy_in_place;  ///< of lanes; dy only where groups have as many channels on either side
    std::function<bool()> finite;  ///< what finite_dy() answers where zeros may meet dy
    bool as_is = false;            ///< pixels are read where they are instead of where they are packed
  };
  struct Extents {
    Int rows, columns;
  };
  struct Steps {
    Int row, column;
  };
  struct Box {
    Int planes, lines, pixels;
  };
  struct Staged {
    Int at, plane, line, pixel, area;
  };

  /// Lanes says that part.ins are lanes: input channels counted over all groups.
  Trace(const spec::Shape&, const Part<Int>&, bool lanes, const Machine&);

  void clear_if_none(Int outputs, Int first, Int taps);
  void pack_dy(Int groups, Int count, Int channels, Int from, Int area, Int first);
  void pack_x(Int groups, Int count, Int channels, Int from, Int step, Int area, Int first);
  void clear_x(Int count, Int at);
  void widen_x(Int count, Int channels, Int from, Int step, Int to);
  void widen_lanes(Int count, Int channels, Int from, Int step, Int to);
  void spread_dy(Int count, const Range<Int>& channels, Int from, Int to, Int map);
  bool finite_dy(bool needed, const spec::Shape&, const Part<Int>&, const Outputs<Int>&) const;
  bool x_in_place() const { return machine_.x_in_place; }
  bool dy_in_place() const { return machine_.dy_in_place; }
  void product_in_place(const Extents&, const Box&, const View<Int>& dy, const View<Int>& x, Int tap,
                        bool first);
  void product(Int group, const Extents&, const Box&, const Staged& dy, const Staged& x, Int tap, bool first);
  void lane_products(Int lanes, const Extents& taps, const Steps&, const Box&, const View<Int>& dy, Int map,
                     const View<Int>& x, Int tap, Int taps_of_row, bool first);

  /// The products added so far. Those of a staged 0 and a finite number are none. Throws Stray where sums
  /// have not begun.
  const std::vector<Product>& products() const;

 private:
  static constexpr Int kZero = -1;

  /// Offsets in a tensor that memory stages, or kZero.
  class Memory {
   public:
    Memory(Int floats, const char* name) : at_(static_cast<std::size_t>(floats), kNothing), name_(name) {}
    void put(Int place, Int offset);
    Int get(Int place) const;

   private:
    static constexpr Int kNothing = -2;
    std::vector<Int> at_;
    const char* name_;
  };

  void as_staged(Int& begin, Int from, Int step, Int channels, Int first) const;
  void begin(Int sum, bool first);
  void add(Int sum, Int dy, Int x);
  Int sum_of(Int group, Int row, Int tap, Int column) const;

  spec::Shape s_;
  Part<Int> part_;
  bool lanes_;
  Machine machine_;
  Memory dy_, x_;
  Int dy_begins_ = 0, x_begins_ = 0;  ///< the box's first pixels
  std::vector<bool> begun_;           ///< by element of dW
  std::vector<Product> products_;
};

}  // namespace wgradcheck::impl::host
