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

}  // namespace wgradcheck::proofs::host
