#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proofs/cube/move.hpp"
#include "proofs/cube/obligations.hpp"
#include "proofs/cube/order.hpp"
#include "proofs/cube/owned.hpp"
#include "proofs/cube/shared.hpp"
#include "proofs/judge.hpp"
#include "tests/proofs/wrong.hpp"

/// Ascend's schedule with slips is refuted.
namespace wgradcheck::proofs::cube {
namespace {

using impl::Range;
using impl::cube::Plane;
using impl::cube::Tile;
using testing::AnyOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

enum class Slip {
  none,
  clears_too_few_sums,
  reads_dy_one_pixel_further,
  packs_dy_in_another_column,
  looks_at_too_little,
  clears_nothing,
  clears_other_columns,
  packs_one_too_far,
  forgets_the_stride,
  packs_one_row_further,
  packs_in_other_columns,
  multiplies_too_little,
  adds_to_other_columns,
  leaves_the_last_out
};

/// An environment that hands what a schedule asks for to another one, distorted by a slip.
template <class Env>
struct Distorted {
  using Int = typename Env::Int;
  Env& env;
  Slip slip;

  Int with(Slip one, const Int& wrong, const Int& right) const { return slip == one ? wrong : right; }
  void loop(const Range<Int>& range, const auto& body) {
    env.loop({range.first, with(Slip::leaves_the_last_out, range.last - 1, range.last)}, body);
  }
  void tiles(const Range<Int>& range, const Int& size, const auto& body) { env.tiles(range, size, body); }
  void unless_empty(const Range<Int>& range, const auto& body) { env.unless_empty(range, body); }
  void either(const auto&... a) { env.either(a...); }
  Int slice_tile() { return env.slice_tile(); }
  void clear_sums(const Int& rows, const Int& cols) {
    env.clear_sums(with(Slip::clears_too_few_sums, rows - 1, rows), cols);
  }
  void stage_dy(const Int& count, const Int& from, const Int& at, const Int& step) {
    env.stage_dy(count, with(Slip::reads_dy_one_pixel_further, from + kLanes, from),
                 with(Slip::packs_dy_in_another_column, at + 1, at), step);
  }
  auto finite_panel(const Int& count, const Int& rows) {
    return env.finite_panel(with(Slip::looks_at_too_little, count - 1, count), rows);
  }
  void zero_x(const Int& count, const Int& at, const Int& step) {
    env.zero_x(with(Slip::clears_nothing, 0, count), with(Slip::clears_other_columns, at + kLanes, at), step);
  }
  void stage_x(const Int& count, const Int& from, const Int& from_step, const Int& row, const Int& at,
               const Int& step) {
    env.stage_x(count, with(Slip::packs_one_too_far, from + 1, from),
                with(Slip::forgets_the_stride, kLanes, from_step),
                with(Slip::packs_one_row_further, row + 1, row),
                with(Slip::packs_in_other_columns, at + kLanes, at), step);
  }
  void multiply(const Int& rows, const Int& cols, const Int& depth, const Int& row, const Int& at,
                const Int& step) {
    env.multiply(rows, cols, with(Slip::multiplies_too_little, depth - 1, depth), row,
                 with(Slip::adds_to_other_columns, at + kLanes, at), step);
  }
  void move(const auto&... a) { env.move(a...); }
};

struct Slipped : Cube {
  explicit Slipped(Slip which) : slip(which) {}
  Slip slip;

  template <class Env, class Int>
  void run(Env& env, const Plane<Int>& plane, const Tile<Int>& tile) const {
    Distorted<Env> distorted{env, slip};
    impl::cube::product(distorted, plane, tile);
  }
};

std::string broken(Slip slip, const std::string& name) {
  return broken_claim(obligation_of<Obligations>(Slipped(slip), name));
}

TEST(WrongCubeSchedules, AreRefutedWhereTheyAreWrong) {
  WGRADCHECK_LONG();
  using enum Slip;
  constexpr const char *kFirst = "multiply_1_of_stage_x_1", *kSecond = "multiply_2_of_stage_x_2";
  EXPECT_EQ(broken(clears_too_few_sums, "clear_sums_1"), "all of the tile's");
  EXPECT_EQ(broken(reads_dy_one_pixel_further, "stage_dy_1"), "the term's dy");
  EXPECT_EQ(broken(packs_dy_in_another_column, "stage_dy_1"), "its own column");
  EXPECT_EQ(broken(looks_at_too_little, "finite_panel_1"), "all of the panel");
  EXPECT_EQ(broken(clears_nothing, "zero_x_1"), "none in vain");
  EXPECT_EQ(broken(clears_nothing, "multiply_1_reads"), "what is padding is cleared");
  EXPECT_EQ(broken(clears_other_columns, "zero_x_1"), "its own columns");
  for (const char* stage : {"stage_x_1", "stage_x_2"}) {
    EXPECT_EQ(broken(packs_one_too_far, stage), "the term's x");
    EXPECT_EQ(broken(forgets_the_stride, stage), "the term's x");
  }
  EXPECT_EQ(broken(packs_one_row_further, "stage_x_1"), "a position of the slice");
  for (const char* product : {kFirst, kSecond}) {
    EXPECT_THAT(broken(packs_one_row_further, product),
                AnyOf("a packed place that it reads", "of the term's position"));
    EXPECT_THAT(broken(packs_in_other_columns, product),
                AnyOf("a packed place that it reads", "the term's sum"));
    EXPECT_EQ(broken(multiplies_too_little, product), "a packed place that it reads");
    EXPECT_EQ(broken(adds_to_other_columns, product), "the term's sum");
    EXPECT_EQ(broken(leaves_the_last_out, std::string(product) + "_every"), "in its loop");
  }
  EXPECT_EQ(broken(multiplies_too_little, "multiply_1_reads"), "the panel");
  EXPECT_EQ(broken(multiplies_too_little, "multiply_2_reads"), "all that is packed");
}

TEST(WrongCubeSchedules, AreToldFromRightOnes) {
  for (const char* name : {"stage_dy_1", "zero_x_1", "stage_x_2", "multiply_1_reads"})
    EXPECT_EQ(broken(Slip::none, name), "");
}

TEST(WrongCubeSchedules, AreShownToBeByTheLeastPlane) {
  WGRADCHECK_LONG();
  const Result result =
      judge("wrong", obligation_of<Obligations>(Slipped(Slip::clears_nothing), "multiply_1_reads"));
  EXPECT_EQ(result.verdict, Verdict::refuted) << result.detail;
  EXPECT_EQ(result.detail, "false: what is padding is cleared");
  EXPECT_THAT(result.witness, HasSubstr("height.kernel=1 "));
}

/// Schedules of one slice that pack and multiply in other orders.
template <class Text>
struct OneSlice : Cube {
  template <class Env, class Int>
  void run(Env& env, const Plane<Int>&, const Tile<Int>& tile) const {
    const Int none = 0;
    env.tiles({Int(0), tile.positions}, env.slice_tile(), [=, &env](const Range<Int>&) {
      Text{}(
          env, tile, [=, &env] { env.stage_dy(none, none, none, none); },
          [=, &env] { env.zero_x(none, none, none); },
          [=, &env] { env.stage_x(none, none, none, none, none, none); },
          [=, &env] { env.multiply(none, none, none, none, none, none); });
    });
  }
};
struct PacksNoDy {
  void operator()(auto&, auto&, auto&&, auto&&, auto&& stage, auto&& multiply) const {
    stage();
    multiply();
  }
};
struct PacksXTooLate {
  void operator()(auto&, auto&, auto&& dy, auto&&, auto&& stage, auto&& multiply) const {
    dy();
    multiply();
    stage();
  }
};
struct PacksXTwice {
  void operator()(auto&, auto&, auto&& dy, auto&&, auto&& stage, auto&& multiply) const {
    dy();
    stage();
    stage();
    multiply();
  }
};
struct ClearsNothing {
  void operator()(auto& env, auto& tile, auto&& dy, auto&&, auto&& stage, auto&& multiply) const {
    dy();
    env.loop(tile.sixteens, [=](const auto&) { stage(); });
    multiply();
  }
};
struct LooksAtNothing {
  void operator()(auto& env, auto& tile, auto&& dy, auto&& zero, auto&& stage, auto&& multiply) const {
    dy();
    env.loop(tile.sixteens, [=](const auto&) {
      zero();
      stage();
    });
    multiply();
  }
};

TEST(WrongCubeSchedules, ThatPackOtherwiseAreNone) {
  const auto says = [](const char* why) { return ThrowsMessage<NotASchedule>(HasSubstr(why)); };
  EXPECT_THAT([] { Obligations(OneSlice<PacksNoDy>{}).made(); }, says("was not packed before it"));
  EXPECT_THAT([] { Obligations(OneSlice<PacksXTooLate>{}).made(); }, says("was not packed before it"));
  EXPECT_THAT([] { Obligations(OneSlice<PacksXTwice>{}).made(); }, says("packed twice"));
  EXPECT_THAT([] { Obligations(OneSlice<ClearsNothing>{}).made(); }, says("may read what was packed before"));
  EXPECT_THAT([] { Obligations(OneSlice<LooksAtNothing>{}).made(); },
              says("by what was not seen to be finite"));
}

/// Cores that share blocks wrongly.
struct LeavesABlockOut : Shared {
  template <class Env>
  void operator()(Env& env, const auto& job, const auto& cores, const auto& core, const auto& body) const {
    Distorted<Env> distorted{env, Slip::leaves_the_last_out};
    impl::cube::each_shared_block(distorted, job, cores, core, body);
  }
};
struct GivesEachCoreAll : Shared {
  template <class Env, class Int>
  void operator()(Env& env, const impl::cube::Job<Int>& job, const Int&, const Int&, const auto& body) const {
    impl::cube::each_shared_block(env, job, Int(1), Int(0), body);
  }
};
struct LeavesADepthOut : Owned {
  template <class Env>
  void operator()(Env& env, const auto& job, const auto& cores, const auto& core, const auto& body) const {
    Distorted<Env> distorted{env, Slip::leaves_the_last_out};
    impl::cube::each_owned_block(distorted, job, cores, core, body);
  }
};
struct CountsChannelsOfOneBlock : Owned {
  template <class Env, class Int>
  void operator()(Env& env, const impl::cube::Job<Int>& job, const Int& cores, const Int& core,
                  const auto& body) const {
    impl::cube::each_owned_block(env, {job.s, job.rows, Int(kLanes), job.columns}, cores, core, body);
  }
};

TEST(WrongShares, AreRefuted) {
  WGRADCHECK_LONG();
  EXPECT_EQ(broken_claim(named_in(shared_obligations(LeavesABlockOut{}), "every")), "in its loop");
  EXPECT_THAT(broken_claim(named_in(shared_obligations(GivesEachCoreAll{}), "blocks")),
              AnyOf("its owner", "a place in the list"));
  EXPECT_EQ(broken_claim(named_in(owned_obligations(LeavesADepthOut{}), "every")), "in its loop");
  EXPECT_NE(broken_claim(named_in(owned_obligations(CountsChannelsOfOneBlock{}), "blocks")), "");
  for (const Obligation& right : shared_obligations(Shared{})) EXPECT_EQ(broken_claim(right), "");
  for (const Obligation& right : owned_obligations(Owned{})) EXPECT_EQ(broken_claim(right), "");
}

/// Tiles in other orders, and sums that are moved elsewhere.
struct TurnsTheOrderRound {
  template <class Env, class Int>
  void operator()(Env& env, const impl::cube::Grid<Int>& g, const auto& body) const {
    const impl::cube::Grid<Int> turned{
        g.m, g.n, g.base_m, g.base_n, g.step_m, g.step_n, Int(1) - g.iterate_order};
    impl::cube::each_tile(env, turned, body);
  }
};
struct LeavesATileOut {
  template <class Env>
  void operator()(Env& env, const auto& grid, const auto& body) const {
    Distorted<Env> distorted{env, Slip::leaves_the_last_out};
    impl::cube::each_tile(distorted, grid, body);
  }
};
struct ForgetsTheOtherBlocks {
  template <class Env, class Int>
  void operator()(Env& env, const Tile<Int>& tile, const impl::cube::Sums<Int>& from,
                  const impl::cube::Sums<Int>& to) const {
    impl::cube::move(env, tile, from, {to.first, impl::length(tile.blocks) * kLanes * kLanes, to.row});
  }
};

TEST(WrongTiles, AreRefuted) {
  WGRADCHECK_LONG();
  EXPECT_EQ(broken_claim(named_in(order_obligations(TurnsTheOrderRound{}), "n_fastest")),
            "the order that is asked for");
  EXPECT_EQ(broken_claim(named_in(order_obligations(LeavesATileOut{}), "m_fastest_every")), "in its loop");
  EXPECT_EQ(broken_claim(named_in(move_obligations(ForgetsTheOtherBlocks{}), "to_dw")), "its dW");
  EXPECT_EQ(broken_claim(named_in(move_obligations(ForgetsTheOtherBlocks{}), "to_scratch")), "to its place");
  for (const Obligation& right : order_obligations(Order{})) EXPECT_EQ(broken_claim(right), "");
  for (const Obligation& right : move_obligations(Moving{})) EXPECT_EQ(broken_claim(right), "");
}

}  // namespace
}  // namespace wgradcheck::proofs::cube
