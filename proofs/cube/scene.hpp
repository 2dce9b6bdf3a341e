#pragma once
#include "impl/schedule/cube_blocks.hpp"
#include "proofs/digits.hpp"
#include "proofs/schedule/explore.hpp"
#include "proofs/schedule/scene.hpp"

/// What the product of a tile of Ascend's schedule is proved on.
namespace wgradcheck::proofs::cube {

/// A term of the sum of one (n, do, kd) by its coordinates; channels as blocks, counted from the work's first
/// on, and their lanes.
template <class Int>
struct Term {
  Int oh, ow, kh, kw, out, out_lane, in, in_lane;
};

template <class Reading>
struct Scene;

/// A plane, rows of it, a tile of their product, and the most positions of a slice.
template <class Reading>
struct Work {
  using Int = IntOf<Reading>;

  Reading& p;
  spec::Axis<Int> height, width;
  impl::Range<Int> rows;
  impl::cube::Tile<Int> tile;
  Int slice_tile;

  impl::cube::Plane<Int> plane() const {
    return {height, width, rows.first, impl::cube::first_input_row(height, rows.first)};
  }
  Scene<Reading> on(typename Prove<Reading>::Way way) const {
    return {*this, {p, Int(1), slice_tile, std::move(way)}};
  }
};

/// A schedule on the way to some operations, and what it works on.
template <class Reading>
struct Scene {
  using Int = IntOf<Reading>;

  Work<Reading> work;
  Prove<Reading> way;

  void run(const auto& schedule) { schedule.run(way, work.plane(), work.tile); }
  impl::Range<Int> slice() const { return way.ranges()[0]; }
};

/// What is said of a schedule besides its text: run(env, plane, tile).
struct AnySchedule {
  static constexpr bool kOfCube = true;
};

template <class Schedule>
concept OfCube = Schedule::kOfCube;

/// Any tile of any rows of any plane.
template <class Reading, OfCube Schedule>
Work<Reading> given_work(Reading& p, const Schedule&) {
  const auto height = given_axis(p, "height."), width = given_axis(p, "width.");
  const auto rows = given_range(p, "rows", 1, height.output);
  const auto block = at_least(p, 0, "blocks.first"), blocks = at_least(p, 1, "blocks"),
             sixteen = at_least(p, 0, "sixteens.first"), sixteens = at_least(p, 1, "sixteens");
  const auto slice_tile = at_least(p, 1, "slice_tile");
  p.use(positive(rows.last - rows.first, width.output));
  return {p,
          height,
          width,
          rows,
          {{block, block + blocks}, {sixteen, sixteen + sixteens}, (rows.last - rows.first) * width.output},
          slice_tile};
}

/// The operations of a schedule. Throws NotASchedule.
template <OfCube Schedule>
std::vector<Found> found_in(const Schedule& schedule) {
  Statement<Sym> unknown;
  const auto work = given_work(unknown, schedule);
  return explore([&](Explore& env) { schedule.run(env, work.plane(), work.tile); });
}

}  // namespace wgradcheck::proofs::cube
