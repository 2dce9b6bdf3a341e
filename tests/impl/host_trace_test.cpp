#include <gmock/gmock.h>

#include "tests/impl/host_traces.hpp"
#include "tests/optional.hpp"

namespace wgradcheck::impl::host {
namespace {

using testing::HasSubstr;

TEST(HostSchedules, AddEachProductOfTheSumOnceOnRandomShapes) {
  for (std::uint64_t seed = 0; seed < (tests::kSanitized ? 400 : 4'000); ++seed) {
    Draw draw(seed);
    ASSERT_TRUE(every_path_is_the_sum(some_host_shape(draw), seed));
  }
}

TEST(HostSchedules, AddEachProductOfTheSumOnceOnABoxOfAxes) {
  std::uint64_t shapes = 0;
  for (Int input = 1; input <= 3; ++input)
    for (Int output = 1; output <= 3; ++output)
      for (Int kernel = 1; kernel <= 3; ++kernel)
        for (Int stride = 1; stride <= 2; ++stride)
          for (Int dilation = 1; dilation <= 2; ++dilation)
            for (Int pad = 0; pad <= 2; ++pad) {
              const spec::Axis<Int> axis{input, output, kernel, stride, dilation, pad};
              const spec::Axis<Int> other{3, 2, 2, 1, 1, 1};
              for (const auto& [height, width] : {std::pair{axis, other}, {other, axis}})
                for (const Int groups : {1, 2}) {
                  const spec::Shape s{2, groups, 2, 4, spec::kNoAxis, height, width};
                  ASSERT_TRUE(every_path_is_the_sum(s, ++shapes));
                }
            }
  EXPECT_EQ(shapes, 1'296u);
}

/// Each path is the plan of some shape that is drawn.
TEST(HostSchedules, AreAllPlannedForSomeRandomShape) {
  std::vector<Path> seen;
  int as_is = 0;
  for (std::uint64_t seed = 0; seed < 4'000; ++seed) {
    Draw draw(seed);
    const Plan plan = host::plan({some_host_shape(draw), false, 1}, false, 1);
    seen.push_back(plan.path);
    as_is += plan.as_is ? 1 : 0;
  }
  EXPECT_GT(as_is, 40) << "pixels read where they are";
  for (const Path path : {Path::taps, Path::folded, Path::swapped, Path::lanes})
    EXPECT_THAT(seen, testing::Contains(path)) << name_of(path);
  const spec::Shape direct{1, 1, 16, 4, spec::kNoAxis, {2, 2, 1, 1, 1, 0}, {3, 3, 1, 1, 1, 0}};
  EXPECT_EQ(plan({direct, false, 1}, false, 1).path, Path::direct);
  EXPECT_TRUE(every_path_is_the_sum(direct, 1));
}

const spec::Shape kShape{2, 1, 2, 4, spec::kNoAxis, {4, 4, 3, 1, 1, 1}, {4, 4, 3, 1, 1, 1}};
const HostPart kAll{{0, 1}, {0, 4}, {0, 2}};

Trace traced(Int dy, Int x) {
  return {kShape, kAll, false, {dy, x, false, false, [] { return true; }}};
}

TEST(HostTrace, SeesMemoryThatIsTooSmall) {
  const HostCut cut{3, 3, 2, 4, 4};
  Products all;
  const auto with = [&](Int dy, Int x) {
    run(Path::taps, kShape, kAll, cut, {dy, x, false, false, [] { return true; }}, all);
  };
  with(2 * 4 * 4 * 4, 2 * 4 * 4 * 2);
  EXPECT_THAT([&] { with(2 * 4 * 4 * 4 - 1, 2 * 4 * 4 * 2); },
              testing::ThrowsMessage<Stray>(HasSubstr("staged dy[127] lies outside its 127 elements")));
  EXPECT_THAT([&] { with(2 * 4 * 4 * 4, 2 * 4 * 4 * 2 - 1); },
              testing::ThrowsMessage<Stray>(HasSubstr("staged x[63] lies outside its 63 elements")));
}

TEST(HostTrace, SeesSumsThatBeginTwiceOrNever) {
  const auto add = [](Trace& trace, bool first) {
    trace.product_in_place({4, 2}, {1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}, 0, first);
  };
  Trace twice = traced(0, 0), never = traced(0, 0), some = traced(0, 0);
  add(twice, true);
  EXPECT_THAT([&] { add(twice, true); }, testing::ThrowsMessage<Stray>(HasSubstr("begins twice")));
  EXPECT_THAT([&] { add(never, false); }, testing::ThrowsMessage<Stray>(HasSubstr("before it has begun")));
  add(some, true);
  EXPECT_THAT([&] { some.products(); }, testing::ThrowsMessage<Stray>(HasSubstr("neither begun nor")));
}

TEST(HostTrace, SeesPixelsThatLieOtherwiseThanStaged) {
  const auto with = [](const HostCut& cut, bool as_is) {
    Products all;
    run(Path::taps, kShape, kAll, cut, {1 << 10, 1 << 10, false, false, [] { return true; }, as_is}, all);
  };
  EXPECT_NO_THROW(with({3, 3, 2, 4, 4}, true));
  // Half a line: the next line of the box begins behind the other half.
  EXPECT_NO_THROW(with({3, 3, 2, 4, 2}, false));
  EXPECT_THAT(
      [&] {
        with({3, 3, 2, 4, 2}, true);
      },
      testing::ThrowsMessage<Stray>(HasSubstr("lies elsewhere than the one before says")));
}

TEST(HostTrace, SeesWhatWasNotStaged) {
  Trace trace = traced(16, 16);
  EXPECT_THAT(
      [&] {
        trace.product(0, {1, 1}, {1, 1, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 1}, 0, true);
      },
      testing::ThrowsMessage<Stray>(HasSubstr("staged dy is read before it is written")));
}

}  // namespace
}  // namespace wgradcheck::impl::host
