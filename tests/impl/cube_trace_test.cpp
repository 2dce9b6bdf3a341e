#include <gmock/gmock.h>

#include "tests/impl/cube_traces.hpp"
#include "tests/optional.hpp"

namespace wgradcheck::impl::cube {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

/// Axes whose six numbers are small, the last output reading through tap 0 before the input's end.
std::vector<spec::Axis<Int>> axes(Int inputs, Int kernels, Int pads) {
  std::vector<spec::Axis<Int>> all;
  for (Int input = 1; input <= inputs; ++input)
    for (Int output = 1; output <= 2; ++output)
      for (Int kernel = 1; kernel <= kernels; ++kernel)
        for (Int stride = 1; stride <= 2; ++stride)
          for (Int dilation = 1; dilation <= 2; ++dilation)
            for (Int pad = 0; pad <= pads; ++pad)
              if ((output - 1) * stride - pad < input)
                all.push_back({input, output, kernel, stride, dilation, pad});
  return all;
}

TEST(CubeSchedule, AddsEachProductOfTheSumOnceOnAllOfABox) {
  std::uint64_t shapes = 0;
  for (const auto& height : axes(3, 3, 2))
    for (const auto& width : axes(2, 2, 1))
      for (const auto& depth : {spec::kNoAxis, spec::Axis<Int>{2, 2, 2, 1, 1, 1}})
        for (const Int channels : {1, 2})
          ASSERT_TRUE(is_the_sum({2, channels, channels, depth, height, width}, ++shapes));
  EXPECT_EQ(shapes, 36'864u);
}

TEST(CubeSchedule, AddsEachProductOfTheSumOnceOnRandomShapes) {
  for (std::uint64_t seed = 0; seed < (tests::kSanitized ? 500 : 5'000); ++seed) {
    Draw draw(seed);
    ASSERT_TRUE(is_the_sum(some_blocked(draw), seed));
  }
}

/// How a schedule is first seen not to be the sum on some random shapes; empty when it is not.
template <class Env, class OfTile = Product16>
std::string caught(const OfTile& of_tile = {}) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Draw draw(seed);
    if (const auto result = is_the_sum<Env>(some_blocked(draw), seed, of_tile); !result)
      return result.message();
  }
  return "";
}

/// Environments that distort what a schedule asks for.
struct StagesOneRowLess : CubeTrace {
  using CubeTrace::CubeTrace;
  void stage_x(Int count, Int from, Int from_step, Int row, Int at, Int step) {
    if (count > 1) CubeTrace::stage_x(count - 1, from, from_step, row, at, step);
  }
};
struct ForgetsTheStride : CubeTrace {
  using CubeTrace::CubeTrace;
  void stage_x(Int count, Int from, Int, Int row, Int at, Int step) {
    CubeTrace::stage_x(count, from, kLanes, row, at, step);
  }
};
struct ForgetsZeros : CubeTrace {
  using CubeTrace::CubeTrace;
  void zero_x(Int, Int, Int) {}
};
struct ReadsDyOneSixteenFurther : CubeTrace {
  using CubeTrace::CubeTrace;
  void stage_dy(Int count, Int from, Int at, Int step) {
    CubeTrace::stage_dy(count, from + kLanes, at, step);
  }
};
struct MultipliesTwice : CubeTrace {
  using CubeTrace::CubeTrace;
  void multiply(Int rows, Int cols, Int depth, Int row, Int at, Int step) {
    for (int times = 0; times < 2; ++times) CubeTrace::multiply(rows, cols, depth, row, at, step);
  }
};
struct MovesOneRowLess : CubeTrace {
  using CubeTrace::CubeTrace;
  void move(Int rows, Int from, Int step, Int to) { CubeTrace::move(rows - kLanes, from, step, to); }
};

TEST(CubeTrace, SeesWrongOperations) {
  constexpr const char *kOther = "other products", *kUnwritten = "read before it is written";
  EXPECT_EQ(caught<CubeTrace>(), "");
  EXPECT_THAT(caught<StagesOneRowLess>(), AnyOf(HasSubstr(kOther), HasSubstr(kUnwritten)));
  EXPECT_THAT(caught<ForgetsTheStride>(), HasSubstr(kOther));
  EXPECT_THAT(caught<ForgetsZeros>(), HasSubstr(kUnwritten));
  EXPECT_THAT(caught<ReadsDyOneSixteenFurther>(), AnyOf(HasSubstr(kOther), HasSubstr("dy[")));
  EXPECT_THAT(caught<MultipliesTwice>(), HasSubstr(kOther));
  EXPECT_THAT(caught<MovesOneRowLess>(), HasSubstr("not moved once"));
}

/// Slips of a whole tile.
struct ForgetsTheStartOfTheBlock {
  void operator()(CubeTrace& env, const Plane<Int>& plane, const Tile<Int>& tile) const {
    product(env, {plane.height, plane.width, 0, plane.input_row}, tile);
  }
};
struct TakesEveryTileForTheFirst {
  void operator()(CubeTrace& env, const Plane<Int>& plane, const Tile<Int>& tile) const {
    product(env, plane, {tile.blocks, {0, length(tile.sixteens)}, tile.positions});
  }
};

TEST(CubeTrace, SeesWrongSchedules) {
  EXPECT_NE(caught<CubeTrace>(ForgetsTheStartOfTheBlock{}), "");
  EXPECT_THAT(caught<CubeTrace>(TakesEveryTileForTheFirst{}), HasSubstr("other products"));
}

}  // namespace
}  // namespace wgradcheck::impl::cube
