#include "tests/impl/cube_traces.hpp"
#include "tests/impl/host_traces.hpp"

namespace wgradcheck::impl {
namespace {

TEST(SchedulesNightly, AddEachProductOfTheSumOnceOn100000RandomShapes) {
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    Draw draw(~seed);
    ASSERT_TRUE(every_schedule_is_the_sum(some_shape(draw), seed)) << "seed " << seed;
  }
}

TEST(CubeScheduleNightly, AddsEachProductOfTheSumOnceOn100000RandomShapes) {
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    Draw draw(~seed);
    ASSERT_TRUE(cube::is_the_sum(cube::some_blocked(draw), seed)) << "seed " << seed;
  }
}

TEST(HostSchedulesNightly, AddEachProductOfTheSumOnceOn100000RandomShapes) {
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    Draw draw(~seed);
    ASSERT_TRUE(host::every_path_is_the_sum(host::some_host_shape(draw), seed));
  }
}

}  // namespace
}  // namespace wgradcheck::impl
