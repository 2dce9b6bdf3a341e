#pragma once
#include "spec/fractal.hpp"

/// What Ascend's schedule asks of its environment, by the names and in the order of the functions of its Run.
namespace wgradcheck::proofs::cube {

inline constexpr int kLanes = spec::kC0;

template <class Int>
struct ClearSums {
  Int rows, cols;
};
template <class Int>
struct StageDy {
  Int count, from, at, step;
};
template <class Int>
struct FinitePanel {
  Int count, rows;
};
template <class Int>
struct ZeroX {
  Int count, at, step;
};
template <class Int>
struct StageX {
  Int count, from, from_step, row, at, step;
};
template <class Int>
struct Multiply {
  Int rows, cols, depth, row, at, step;
};
template <class Int>
struct Move {
  Int rows, from, step, to;
};

/// The operations of an environment that hands each of them to Self's meet(operation). Self chooses whether
/// dy is finite, too, and how many positions a slice has.
template <class Int, class Self>
class Operations {
 public:
  Int slice_tile() { return self().line_tile(); }
  void clear_sums(const Int& rows, const Int& cols) { self().meet(ClearSums<Int>{rows, cols}); }
  void stage_dy(const Int& count, const Int& from, const Int& at, const Int& step) {
    self().meet(StageDy<Int>{count, from, at, step});
  }
  auto finite_panel(const Int& count, const Int& rows) {
    self().meet(FinitePanel<Int>{count, rows});
    return self().chosen_finite();
  }
  void zero_x(const Int& count, const Int& at, const Int& step) { self().meet(ZeroX<Int>{count, at, step}); }
  void stage_x(const Int& count, const Int& from, const Int& from_step, const Int& row, const Int& at,
               const Int& step) {
    self().meet(StageX<Int>{count, from, from_step, row, at, step});
  }
  void multiply(const Int& rows, const Int& cols, const Int& depth, const Int& row, const Int& at,
                const Int& step) {
    self().meet(Multiply<Int>{rows, cols, depth, row, at, step});
  }
  void move(const Int& rows, const Int& from, const Int& step, const Int& to) {
    self().meet(Move<Int>{rows, from, step, to});
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace wgradcheck::proofs::cube
