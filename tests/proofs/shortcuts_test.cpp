#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "impl/partition.hpp"
#include "impl/position.hpp"
#include "spec/index.hpp"

/// The shortcuts, run in 64 bits, against counting.
namespace wgradcheck::impl {
namespace {

using Int = std::int64_t;

Int between(Int least, Int most) { return *rc::gen::inRange<Int>(least, most + 1); }

RC_GTEST_PROP(TapRange, HoldsExactlyTheOutputsThatTheTapTouches, ()) {
  const spec::Axis<Int> axis{between(1, 12), between(1, 12), between(1, 5),
                             between(1, 4),  between(1, 4),  between(0, 9)};
  const Int tap = between(0, axis.kernel - 1);
  const Range<Int> range = touched(axis, tap);
  RC_ASSERT(0 <= range.first && range.first <= range.last && range.last <= axis.output);
  for (Int p = 0; p < axis.output; ++p) RC_ASSERT(contains(range, p) == spec::touches(axis, p, tap));
}

TEST(TapRange, IsEmptyWhereATapMeetsPaddingAlone) {
  const spec::Axis<Int> axis{1, 3, 2, 1, 9, 0};
  const Range<Int> range = touched<Int>(axis, 1);
  EXPECT_EQ(range.first, range.last);
}

RC_GTEST_PROP(Partition, GivesEachItemToItsOwnerAlone, ()) {
  const Int total = between(0, 40), cores = between(1, 12);
  for (Int item = 0; item < total; ++item)
    for (Int id = 0; id < cores; ++id)
      RC_ASSERT(contains(part(total, cores, id), item) == (owner(total, cores, item) == id));
}

RC_GTEST_PROP(Partition, CoversTheItemsInOrder, ()) {
  const Int total = between(0, 40), cores = between(1, 12);
  Int next = 0;
  for (Int id = 0; id < cores; ++id) {
    RC_ASSERT(part(total, cores, id).first == next);
    next = part(total, cores, id).last;
  }
  RC_ASSERT(next == total);
}

RC_GTEST_PROP(Positions, AreCountedAsTheirRows, ()) {
  spec::Shape s{between(1, 4), 1, 1, 1, spec::kNoAxis, spec::kNoAxis, spec::kNoAxis};
  s.depth.output = between(1, 3);
  s.height.output = between(1, 5);
  s.width.output = between(1, 5);
  Int row = 0;
  for (Int n = 0; n < s.batch; ++n)
    for (Int d = 0; d < s.depth.output; ++d)
      for (Int h = 0; h < s.height.output; ++h)
        for (Int w = 0; w < s.width.output; ++w, ++row) {
          const Position<Int> position{n, d, h, w};
          RC_ASSERT(row_of(s, position) == row);
          RC_ASSERT(position_at(s, row) == position);
        }
}

}  // namespace
}  // namespace wgradcheck::impl
