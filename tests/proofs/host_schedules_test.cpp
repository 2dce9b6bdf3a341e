#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proofs/host/direct.hpp"
#include "proofs/host/folded.hpp"
#include "proofs/host/obligations.hpp"
#include "proofs/host/taps.hpp"
#include "proofs/judge.hpp"
#include "tests/proofs/wrong.hpp"

/// Schedules of the host library with slips are refuted.
namespace wgradcheck::proofs::host {
namespace {

using impl::Cut;
using impl::Part;
using impl::Range;
using testing::AnyOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class WrongHostSchedules : public Long {};

enum class Slip {
  none,
  packs_one_too_far,
  forgets_the_stride,
  packs_one_pixel_further,
  steps_too_far,
  leaves_the_last_out,
  begins_again_with_each_box,
  clears_too_few,
  goes_on_through_depth
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
  void clear_if_none(const Int& outputs, const Int& first, const Int& taps) {
    env.clear_if_none(outputs, first, with(Slip::clears_too_few, taps - 1, taps));
  }
  void pack_dy(const auto&... a) { env.pack_dy(a...); }
  void pack_x(const Int& groups, const Int& count, const Int& channels, const Int& from, const Int& step,
              const Int& area, const Int& first) {
    env.pack_x(groups, count, channels, with(Slip::packs_one_too_far, from + 1, from),
               with(Slip::forgets_the_stride, channels, step), area,
               with(Slip::packs_one_pixel_further, first + 1, first));
  }
  void product(const Int& group, const Extents<Int>& extents, const Box<Int>& box, const Staged<Int>& dy,
               const Staged<Int>& x, const Int& tap, const TruthOf<Int>& first) {
    env.product(group, extents, box, dy,
                {x.at, x.plane, with(Slip::steps_too_far, x.line + 1, x.line), x.pixel, x.area}, tap,
                slip == Slip::begins_again_with_each_box ? Int(0) == Int(0) : first);
  }
  void product_in_place(const auto&... a) { env.product_in_place(a...); }
};

/// The schedule for many channels with a slip.
struct Slipped : Taps {
  explicit Slipped(Slip which) : slip(which) {}
  Slip slip;

  template <class Env, class Int>
  void run(Env& env, const spec::BasicShape<Int>& s, const Part<Int>& part, const Cut<Int>& cut) const {
    Distorted<Env> distorted{env, slip};
    impl::taps(distorted, s, part, cut);
  }
};

/// The one for few taps, of which it is forgotten that images are not one step apart.
struct ThroughDepth : Direct {
  template <class Reading>
  auto takes(const Work<Reading>& work) const {
    return work.s.groups == 1;
  }
};

/// The claim of the schedule with a slip that some values inside its assumptions break; empty when none do.
std::string broken(Slip slip, const std::string& name) {
  return broken_claim(obligation_of<Obligations>(Slipped(slip), name));
}

TEST_F(WrongHostSchedules, AreRefutedWhereTheyAreWrong) {
  using enum Slip;
  EXPECT_EQ(broken(packs_one_too_far, "pack_x_1"), "its x");
  EXPECT_EQ(broken(forgets_the_stride, "pack_x_1"), "its x");
  EXPECT_EQ(broken(packs_one_pixel_further, "pack_x_1"), "the pixel's place");
  EXPECT_EQ(broken(leaves_the_last_out, "product_1_every"), "in its loop");
  EXPECT_EQ(broken(begins_again_with_each_box, "product_1_begins"), "no other box's");
  EXPECT_EQ(broken(clears_too_few, "clear_if_none_1"), "each tap of this depth");
}

TEST_F(WrongHostSchedules, AreToldFromRightOnes) {
  for (const char* name : {"pack_x_1", "clear_if_none_1"}) EXPECT_EQ(broken(Slip::none, name), "");
}

TEST_F(WrongHostSchedules, AreShownToBeByTheLeastShape) {
  const Result slipped =
      judge("wrong", obligation_of<Obligations>(Slipped(Slip::packs_one_pixel_further), "pack_x_1"));
  EXPECT_EQ(slipped.verdict, Verdict::refuted) << slipped.detail;
  EXPECT_THAT(slipped.witness, HasSubstr("mb1ic1ih1oc1oh1kh1 "));
  const Result stepping =
      judge("wrong", obligation_of<Obligations>(Slipped(Slip::steps_too_far), "product_1"));
  EXPECT_EQ(stepping.verdict, Verdict::refuted) << stepping.detail;
  EXPECT_EQ(stepping.detail, "false: the pixel's place");
  const Result through = judge("wrong", obligation_of<Obligations>(ThroughDepth{}, "product_in_place_1"));
  EXPECT_EQ(through.verdict, Verdict::refuted) << through.detail;
  EXPECT_THAT(through.witness, HasSubstr("od2"));
}

/// The schedule for many channels where too much is read where it lies: planes of several outputs of depth,
/// or half lines.
struct Planes : Taps {
  template <class Int>
  static auto lies(const spec::BasicShape<Int>& s, const Cut<Int>& cut) {
    const spec::Axis<Int> flat{Int(1), Int(1), Int(1), Int(1), Int(1), Int(0)};
    return s.depth.input == Int(1) &&
           impl::lies_as_staged(spec::BasicShape<Int>{s.batch, s.groups, s.in_channels, s.out_channels, flat,
                                                      s.height, s.width},
                                cut);
  }
};
struct HalfLines : Taps {
  template <class Int>
  static auto lies(const spec::BasicShape<Int>& s, const Cut<Int>& cut) {
    return impl::lies_as_staged(
        s, Cut<Int>{cut.tap_lines, cut.tap_pixels, cut.planes, cut.lines, s.width.output});
  }
};

TEST_F(WrongHostSchedules, ThatReadPixelsWhichLieOtherwiseAreRefuted) {
  const auto judged = [](const auto& schedule, const char* name) {
    return judge("wrong", obligation_of<Obligations>(schedule, name));
  };
  const Result planes = judged(Planes{}, "pack_dy_1_as_they_lie");
  EXPECT_EQ(planes.verdict, Verdict::refuted) << planes.detail;
  EXPECT_THAT(planes.witness, HasSubstr("od2"));
  for (const char* name : {"pack_dy_1_as_they_lie", "pack_x_1_as_they_lie"}) {
    const Result lines = judged(HalfLines{}, name);
    EXPECT_EQ(lines.verdict, Verdict::refuted) << name << ' ' << lines.detail;
  }
}

/// An environment that hands on what the schedule for few channels asks for, but clears one pixel too few
/// before the inputs of a row, or looks at dy nowhere.
template <class Env>
struct DistortedRows {
  using Int = typename Env::Int;
  Env& env;
  bool blind;

  void loop(const Range<Int>& range, const auto& body) { env.loop(range, body); }
  void tiles(const Range<Int>& range, const Int& size, const auto& body) { env.tiles(range, size, body); }
  void either(const auto&... a) { env.either(a...); }
  void clear_if_none(const auto&... a) { env.clear_if_none(a...); }
  void pack_dy(const auto&... a) { env.pack_dy(a...); }
  void clear_x(const Int& count, const Int& at) { env.clear_x(count, blind ? at : at + 1); }
  void widen_x(const auto&... a) { env.widen_x(a...); }
  auto finite_dy(const auto& needed, const auto&... a) {
    return env.finite_dy(blind ? Int(0) == Int(1) : needed, a...);
  }
  void product(const Int& group, const Extents<Int>& extents, const Box<Int>& box, const Staged<Int>& dy,
               const Staged<Int>& x, const Int& tap, const TruthOf<Int>& first) {
    env.product(group, extents, box, dy, x, tap, first);
  }
};
struct SlippedRows : Folded {
  explicit SlippedRows(bool never_looks) : blind(never_looks) {}
  bool blind;

  template <class Env, class Int>
  void run(Env& env, const spec::BasicShape<Int>& s, const Part<Int>& part, const Cut<Int>& cut) const {
    DistortedRows<Env> distorted{env, blind};
    impl::folded(distorted, s, part, cut);
  }
};

TEST_F(WrongHostSchedules, ThatStageRowsAreRefutedByTheirZeros) {
  const Result zeros = judge("wrong", obligation_of<Obligations>(SlippedRows(false), "clear_x_1"));
  EXPECT_EQ(zeros.verdict, Verdict::refuted) << zeros.detail;
  EXPECT_EQ(zeros.detail, "false: the channel's place");
  const Result blind = judge("wrong", obligation_of<Obligations>(SlippedRows(true), "finite_dy_1"));
  EXPECT_EQ(blind.verdict, Verdict::refuted) << blind.detail;
  EXPECT_EQ(blind.detail, "false: where a row has zeros");
}

/// Products of what is packed behind them.
struct PacksTooLate : Taps {
  template <class Env, class Int>
  void run(Env& env, const spec::BasicShape<Int>& s, const Part<Int>& part, const Cut<Int>& cut) const {
    impl::each_depth_tap(env, s, [=, &env](const Int& kd) {
      env.tiles({Int(0), s.height.kernel}, cut.tap_lines, [=, &env](const Range<Int>&) {
        env.tiles({Int(0), s.width.kernel}, cut.tap_pixels, [=, &env](const Range<Int>&) {
          impl::each_box(env, s, cut, kd, [=, &env](const impl::Outputs<Int>& o) {
            const Int none = 0;
            env.product(none, {none, none}, {none, none, none}, {none, none, none, none, none},
                        {none, none, none, none, none}, none, is_first(o));
            impl::stage_dy(env, s, part, o);
          });
        });
      });
    });
  }
};

TEST_F(WrongHostSchedules, ThatPackBehindTheirProductsAreNone) {
  EXPECT_THAT([] { Obligations(PacksTooLate{}).made(); },
              ThrowsMessage<NotASchedule>(HasSubstr("may read what was packed for another box")));
}

}  // namespace
}  // namespace wgradcheck::proofs::host
