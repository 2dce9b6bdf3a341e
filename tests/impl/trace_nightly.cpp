#include "tests/impl/traces.hpp"

namespace wgradcheck::impl {
namespace {

TEST(SchedulesNightly, AddEachProductOfTheSumOnceOn100000RandomShapes) {
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
    Draw draw(~seed);
    ASSERT_TRUE(every_schedule_is_the_sum(some_shape(draw), seed)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace wgradcheck::impl
