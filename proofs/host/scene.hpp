#pragma once
#include "impl/schedule/staged.hpp"
#include "proofs/schedule/explore.hpp"
#include "proofs/schedule/scene.hpp"

/// What the host library's schedules are proved on.
namespace wgradcheck::proofs::host {

/// A term of the sum over three axes by its coordinates.
template <class Int>
struct Term {
  Int n, d, oh, ow, kd, kh, kw, g, co, ci;
};

template <class Reading>
struct Scene;

/// A shape, a part of its dW, and how the work is cut.
template <class Reading>
struct Work {
  using Int = IntOf<Reading>;

  Reading& p;
  spec::BasicShape<Int> s;
  impl::Part<Int> part;
  impl::Cut<Int> cut;

  Scene<Reading> on(typename Prove<Reading>::Way way) const {
    return {p, s, part, cut, {p, Int(1), Int(1), std::move(way)}};
  }
};

/// A schedule on the way to some operations, and what it works on.
template <class Reading>
struct Scene {
  Reading& p;
  spec::BasicShape<IntOf<Reading>> s;
  impl::Part<IntOf<Reading>> part;
  impl::Cut<IntOf<Reading>> cut;
  Prove<Reading> way;

  Work<Reading> work() const { return {p, s, part, cut}; }
  void run(const auto& schedule) { schedule.run(way, s, part, cut); }
};

}  // namespace wgradcheck::proofs::host
