#include <gtest/gtest.h>

#include <variant>

#include "impl/host/plan.hpp"
#include "spec/problem_line.hpp"

/// How the host library plans problems: by which path, in what pieces, with how much memory.
namespace wgradcheck::impl::host {
namespace {

spec::Shape shape_of(const char* line) { return std::get<spec::Shape>(spec::parse_line(line)); }

TEST(HostPlan, SharesImagesWhereDwIsSmallByTheShapeAlone) {
  for (const std::int64_t threads : {1, 2, 3, 7}) {
    const Plan small = plan({shape_of("g32mb7ic32ih112oc32kh3ph1"), false, threads}, false);
    EXPECT_EQ(small.partials, 2);
    EXPECT_EQ(small.images, 4);  // and 3
    EXPECT_EQ(plan({shape_of("mb8ic128ih28oc128kh3ph1"), false, threads}, false).partials, 1);
  }
  // Two threads that share images read the same channels as one does.
  EXPECT_EQ(plan({shape_of("g32mb7ic32ih112oc32kh3ph1"), false, 2}, false).ins, 32);
}

TEST(HostPlan, ReadsPixelsWhereTheyAreIfTheyLieAsTheyWouldBeStaged) {
  for (const char* line : {"g9mb3ic144ih20oc144kh3ph1", "g2mb3ic32ih9oc32kh3", "g2mb3ic32ih9oc32kh3sh2ph1",
                           "g2mb1ic32id3ih200oc32kd3kh3pd1ph1", "g2mb1ic32ih90iw120oc32kh3kw3ph1pw1",
                           "mb8ic64ih56oc64kh3ph1", "mb2ic24ih9oc17kh3ph1", "mb8ic512ih7oc512kh3ph1"})
    EXPECT_TRUE(plan({shape_of(line), false, 1}, false).as_is) << line;
  for (const char* line : {"g9mb3ic144ih20oc144kh3sh2", "g2mb3ic32id3ih9oc32kd3kh3pd1ph1",
                           "g2mb3ic36ih9oc32kh3", "mb1ic528ih7oc16kh3ph1", "mb2ic20ih9oc16kh3ph1dh1"})
    EXPECT_FALSE(plan({shape_of(line), false, 1}, false).as_is) << line;
}

TEST(HostPlan, NeedsLittleMemory) {
  constexpr double kMost = 2 << 20;  // bytes a thread
  constexpr double kSlackBytes = 512;
  for (const char* line :
       {"mb8ic64ih56oc64kh3ph1", "mb8ic512ih7oc512kh3ph1", "mb8ic2048ih7oc512kh1", "mb8ic3ih224oc64kh7sh2ph3",
        "g960mb8ic960ih14oc960kh5ph2", "g32mb8ic128ih56oc128kh3ph1", "mb1ic64ih1iw100000oc64oh1kh1kw3pw1",
        "mb1ic64ih300oc64kh3ph60dh59", "mb2ic512id30ih30oc512kd3kh3pd1ph1"})
    for (const bool narrow : {false, true}) {
      const Plan p = plan({shape_of(line), false, 2}, narrow);
      EXPECT_LE(static_cast<double>(p.floats_of_thread()) * sizeof(float), kMost) << line << ' ' << narrow;
      constexpr double kPartials = 1 << 19;  // bytes of all
      const std::int64_t partials = p.floats() - p.threads * p.floats_of_thread();
      EXPECT_LE(static_cast<double>(partials) * sizeof(float), kPartials + 2 * kSlackBytes) << line;
    }
}

TEST(HostPlan, StagesNoMoreThanItsPartsNeed) {
  // Sixteen threads cut 128 output channels to pieces of 8, of which as much of dy is staged.
  const Plan one = plan({shape_of("mb8ic128ih28oc128kh3ph1"), false, 1}, true, 1),
             many = plan({shape_of("mb8ic128ih28oc128kh3ph1"), false, 16}, true, 1);
  ASSERT_EQ(one.path, Path::taps);
  ASSERT_EQ(one.outs, 16 * many.outs);
  EXPECT_EQ(one.dy, 16 * many.dy);
  EXPECT_EQ(one.x, many.x);
}

TEST(HostPlan, StagesASmallProblemByAFewHundredOutputsAndALargeOneByWhatTheCacheHolds) {
  const auto outputs = [](const char* line) {
    const Plan p = plan({shape_of(line), false, 1}, false);
    return p.cut.planes * p.cut.lines * p.cut.pixels;
  };
  for (const char* line : {"mb2ic3ih64oc8kh3sh2ph1", "mb16ic8ih16oc8kh3ph1"})
    EXPECT_LE(outputs(line), 512) << line;
  EXPECT_GT(outputs("mb8ic3ih224oc64kh7sh2ph3"), 1024);
}

}  // namespace
}  // namespace wgradcheck::impl::host
