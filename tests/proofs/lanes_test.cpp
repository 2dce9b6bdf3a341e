#include "proofs/host/lanes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proofs/host/obligations.hpp"
#include "proofs/judge.hpp"
#include "tests/proofs/wrong.hpp"

/// The host library's nest for groups of few channels is refuted with a slip in it.
namespace wgradcheck::proofs::host {
namespace {

using impl::Cut;
using impl::Part;
using impl::Range;
using impl::View;
using testing::HasSubstr;
using testing::ThrowsMessage;

enum class Slip {
  none,
  widens_one_too_far,
  stages_one_lane_further,
  spreads_one_further,
  maps_too_small,
  forgets_a_tap_step,
  images_too_close,
  one_pixel_more,
  one_line_less,
  one_tap_more,
  begins_with_each_piece
};

/// An environment that hands what the schedule asks for to another one, distorted by a slip.
template <class Env>
struct Distorted {
  using Int = typename Env::Int;
  Env& env;
  Slip slip;

  Int with(Slip one, const Int& wrong, const Int& right) const { return slip == one ? wrong : right; }
  void loop(const Range<Int>& range, const auto& body) { env.loop(range, body); }
  void tiles(const Range<Int>& range, const Int& size, const auto& body) { env.tiles(range, size, body); }
  void clear_if_none(const auto&... a) { env.clear_if_none(a...); }
  auto x_in_place() const { return env.x_in_place(); }
  auto dy_in_place() const { return env.dy_in_place(); }
  void widen_lanes(const Int& count, const Int& channels, const Int& from, const Int& step, const Int& to) {
    env.widen_lanes(count, channels, with(Slip::widens_one_too_far, from + 1, from), step,
                    with(Slip::stages_one_lane_further, to + 1, to));
  }
  void spread_dy(const Int& count, const Range<Int>& channels, const Int& from, const Int& to,
                 const Int& map) {
    env.spread_dy(count, channels, with(Slip::spreads_one_further, from + 1, from), to, map);
  }
  void lane_products(const Int& lanes, const Extents<Int>& taps, const Steps<Int>& steps, const Box<Int>& box,
                     const View<Int>& dy, const Int& map, const View<Int>& x, const Int& tap,
                     const Int& taps_of_row, const TruthOf<Int>& first) {
    env.lane_products(lanes, {with(Slip::one_tap_more, taps.rows + 1, taps.rows), taps.columns},
                      {with(Slip::forgets_a_tap_step, steps.row + 1, steps.row), steps.column},
                      {box.planes, with(Slip::one_line_less, box.lines - 1, box.lines),
                       with(Slip::one_pixel_more, box.pixels + 1, box.pixels)},
                      dy, with(Slip::maps_too_small, map - 1, map),
                      {x.at, with(Slip::images_too_close, x.plane - 1, x.plane), x.line, x.pixel}, tap,
                      taps_of_row, slip == Slip::begins_with_each_piece ? Int(0) == Int(0) : first);
  }
};

struct Slipped : Lanes {
  explicit Slipped(Slip which) : slip(which) {}
  Slip slip;

  template <class Env, class Int>
  void run(Env& env, const spec::BasicShape<Int>& s, const Part<Int>& part, const Cut<Int>& cut) const {
    Distorted<Env> distorted{env, slip};
    impl::lanes(distorted, s, part.ins, cut);
  }
};

class WrongLanes : public Long {};

/// The claim of the schedule with a slip that some values inside its assumptions break; empty when none do.
std::string broken(Slip slip, const std::string& name) {
  return broken_claim(obligation_of<Obligations>(Slipped(slip), name));
}

TEST_F(WrongLanes, AreRefutedWhereTheyAreWrong) {
  using enum Slip;
  EXPECT_EQ(broken(widens_one_too_far, "widen_lanes_1"), "its x");
  EXPECT_EQ(broken(stages_one_lane_further, "widen_lanes_1"), "the lane's place");
  EXPECT_EQ(broken(spreads_one_further, "spread_dy_1"), "the term's dy");
  EXPECT_EQ(broken(maps_too_small, "lane_products_1"), "a map");
  EXPECT_EQ(broken(forgets_a_tap_step, "lane_products_1"), "the lane's place");
  EXPECT_EQ(broken(images_too_close, "lane_products_1_of_x_in_place"), "its x");
  EXPECT_EQ(broken(images_too_close, "lane_products_1_in_place"), "its x");
  EXPECT_EQ(broken(one_line_less, "lane_products_1_every"), "a lane");
  EXPECT_EQ(broken(begins_with_each_piece, "lane_products_1_begins"), "no other box's");
}

TEST_F(WrongLanes, AreRefutedWhereTheyAddWhatIsNoTermOrAnothersTerm) {
  EXPECT_THAT(broken(Slip::one_pixel_more, "lane_products_1"),
              testing::AnyOf("an output", "the tap touches width"));
  EXPECT_THAT(broken(Slip::one_tap_more, "lane_products_1_once"), HasSubstr("choice"));
}

TEST_F(WrongLanes, AreToldFromRightOnes) {
  for (const char* name : {"widen_lanes_1", "lane_products_1_in_place", "lane_products_1_every"})
    EXPECT_EQ(broken(Slip::none, name), "") << name;
}

TEST_F(WrongLanes, AreShownToBeByTheLeastShape) {
  const Result result =
      judge("wrong", obligation_of<Obligations>(Slipped(Slip::one_line_less), "lane_products_1_every"));
  EXPECT_EQ(result.verdict, Verdict::refuted) << result.detail;
  EXPECT_EQ(result.detail, "false: a lane");
  EXPECT_THAT(result.witness, HasSubstr("mb1ic1ih1oc1oh1kh1 "));
}

/// Products of what is staged behind them.
struct StagesTooLate : Lanes {
  template <class Env, class Int>
  void run(Env& env, const spec::BasicShape<Int>& s, const Part<Int>& part, const Cut<Int>& cut) const {
    impl::each_depth_tap(env, s, [=, &env](const Int& kd) {
      impl::each_box(env, s, cut, kd, [=, &env](const impl::Outputs<Int>& o) {
        const Int none = 0;
        env.lane_products(none, {none, none}, {none, none}, {none, none, none}, {none, none, none, none},
                          none, {none, none, none, none}, none, none, is_first(o));
        env.spread_dy(none, part.ins, none, none, none);
        env.widen_lanes(none, none, none, none, none);
      });
    });
  }
};

TEST_F(WrongLanes, ThatStageBehindTheirProductsAreNone) {
  EXPECT_THAT([] { Obligations(StagesTooLate{}).made(); },
              ThrowsMessage<NotASchedule>(HasSubstr("may read what was packed for another box")));
}

}  // namespace
}  // namespace wgradcheck::proofs::host
