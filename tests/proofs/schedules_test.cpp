#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "impl/schedule/chunked.hpp"
#include "impl/schedule/pointwise.hpp"
#include "proofs/judge.hpp"
#include "proofs/schedule/any_schedule.hpp"
#include "proofs/schedule/obligations.hpp"
#include "tests/proofs/wrong.hpp"

/// Schedules with slips are refuted.
namespace wgradcheck::proofs {
namespace {

using impl::Block;
using impl::length;
using impl::Range;
using testing::AnyOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

enum class Slip {
  none,
  reads_one_too_far,
  forgets_the_stride,
  packs_one_column_further,
  clears_too_much,
  reads_too_deep,
  leaves_the_last_out,
  cuts_tiles_of_nothing,
  forgets_the_group,
  takes_every_call_for_pointwise
};

/// An environment that hands what a schedule asks for to another one, distorted by a slip.
template <class Env>
struct Distorted {
  using Int = typename Env::Int;
  using Term = impl::Term<Int>;
  Env& env;
  Slip slip;

  Int with(Slip one, const Int& wrong, const Int& right) const { return slip == one ? wrong : right; }
  void loop(const Range<Int>& range, const auto& body) {
    env.loop({range.first, with(Slip::leaves_the_last_out, range.last - 1, range.last)}, body);
  }
  void tiles(const Range<Int>& range, const Int& size, const auto& body) {
    env.tiles(range, with(Slip::cuts_tiles_of_nothing, size - 1, size), body);
  }
  void unless_empty(const Range<Int>& range, const auto& body) { env.unless_empty(range, body); }
  void either(const auto& truth, const auto& then, const auto& otherwise) {
    env.either(truth, then, otherwise);
  }
  auto finite(const auto&... a) { return env.finite(a...); }
  void clear(const Int& count) { env.clear(with(Slip::clears_too_much, count + 1, count)); }
  void stage(const Term& t, const Int& count, const Int& channels, const Int& x, const Int& x_step,
             const Int& row, const Int& col, const Int& step) {
    env.stage(t, count, channels, with(Slip::reads_one_too_far, x + 1, x),
              with(Slip::forgets_the_stride, channels, x_step), row,
              with(Slip::packs_one_column_further, col + 1, col), step);
  }
  void product(const Term& t, const Int& rows, const Int& cols, const Int& depth, const Int& dy,
               const Int& step, const Int& col) {
    env.product(t, rows, cols, with(Slip::reads_too_deep, depth + 1, depth), dy, step, col);
  }
};

/// The chunked schedule with a slip, and the owners that it has without.
struct Slipped : AnySchedule {
  Slip slip;
  explicit Slipped(Slip which) : slip(which) {}

  template <class Env, class Int>
  void run(Env& env, const spec::Call<Int>& c, const Block<Int>& b) const {
    if (slip == Slip::takes_every_call_for_pointwise) return impl::pointwise(env, c, b);
    Distorted<Env> distorted{env, slip};
    impl::chunked(distorted, c,
                  {slip == Slip::forgets_the_group ? Int(0) : b.group, b.rows, b.cols, b.images});
  }
  template <class Reading>
  std::vector<IntOf<Reading>> owner(const Work<Reading>& work, const impl::Term<IntOf<Reading>>& t) const {
    if (slip == Slip::takes_every_call_for_pointwise) return {};
    return {t.n, spec::floor_div(t.oh * work.c.output_w + t.ow, impl::chunk_of(work.c, length(work.b.cols))),
            t.kh * work.c.kernel_w + t.kw, t.oh};
  }
};

/// The claim of the schedule with a slip that some values inside its assumptions break; empty when none do.
std::string broken(Slip slip, const std::string& name) {
  return broken_claim(obligation_of<Obligations>(Slipped(slip), name));
}

TEST(WrongSchedules, AreRefutedWhereTheyAreWrong) {
  WGRADCHECK_LONG();
  using enum Slip;
  EXPECT_EQ(broken(reads_one_too_far, "stage_1_reads"), "the term's x");
  EXPECT_EQ(broken(forgets_the_stride, "stage_1_reads"), "the term's x");
  EXPECT_THAT(broken(packs_one_column_further, "stage_1_writes"), HasSubstr("inside"));
  EXPECT_THAT(broken(packs_one_column_further, "product_1_of_stage_1"),
              AnyOf("a packed place that it reads", "the term's dW"));
  EXPECT_EQ(broken(clears_too_much, "clear_1"), "inside scratch");
  EXPECT_EQ(broken(reads_too_deep, "product_1_reads_scratch"), "written");
  EXPECT_EQ(broken(reads_too_deep, "product_1_reads_dy"), "a position");
  EXPECT_EQ(broken(leaves_the_last_out, "product_1_of_stage_1_every"), "in its loop");
  EXPECT_EQ(broken(cuts_tiles_of_nothing, "tiles_1"), "a tile holds something");
  EXPECT_EQ(broken(forgets_the_group, "product_1_of_stage_1"), "the term's dW");
  EXPECT_NE(broken(takes_every_call_for_pointwise, "product_in_place_1"), "");
}

TEST(WrongSchedules, AreShownToBeByTheLeastCall) {
  const Result result = judge("wrong", obligation_of<Obligations>(Slipped(Slip::clears_too_much), "clear_1"));
  EXPECT_EQ(result.verdict, Verdict::refuted) << result.detail;
  EXPECT_THAT(result.witness, HasSubstr("mb1ic1ih1oc1oh1kh1 "));
}

TEST(WrongSchedules, AreToldFromRightOnes) {
  WGRADCHECK_LONG();
  for (const char* name : {"stage_1_reads", "product_1_of_stage_1", "product_1_of_stage_1_every"}) {
    EXPECT_FALSE(values_inside(obligation_of<Obligations>(Slipped(Slip::none), name)).empty()) << name;
    EXPECT_EQ(broken(Slip::none, name), "");
  }
}

/// The 1x1 path as many times as `times` says.
struct Repeated : AnySchedule {
  explicit Repeated(int how_often) : times(how_often) {}
  int times;

  template <class Env, class Int>
  void run(Env& env, const spec::Call<Int>& c, const Block<Int>& b) const {
    env.loop({Int(0), Int(times)}, [=, &env](const Int&) { impl::pointwise(env, c, b); });
  }
  template <class Int>
  auto takes(const spec::Call<Int>& c) const {
    return spec::is_pointwise(c);
  }
  template <class Reading, class Operation>
  void lemmas(Scene<Reading>& scene, const Operation&) const {
    auto& [p, c, b, way] = scene;
    const auto plane = c.output_h * c.output_w;
    p.use(positive(c.output_h, c.output_w));
    p.use(positive(length(b.images), plane));
    p.use(product(b.images.first, plane));
    p.use(monotone(b.images.last, c.output_batch, plane));
  }
};
/// The same, and it says that the first time is each term's.
struct RepeatedOwned : Repeated {
  using Repeated::Repeated;
  template <class Reading>
  std::vector<IntOf<Reading>> owner(const Work<Reading>&, const impl::Term<IntOf<Reading>>&) const {
    return {0};
  }
};

TEST(RepeatedProducts, AreRefutedWhereTheyAreAddedInPlace) {
  for (const Obligation& once : {obligation_of<Obligations>(Repeated(2), "product_in_place_1_once"),
                                 obligation_of<Obligations>(RepeatedOwned(2), "product_in_place_1_once")}) {
    const Result result = judge("twice", once);
    EXPECT_EQ(result.verdict, Verdict::refuted) << result.detail;
    EXPECT_EQ(result.detail, "false: choice 1");
    EXPECT_THAT(result.witness, HasSubstr("loop1"));
  }
}

TEST(RepeatedProducts, AreProvedWhereTheLoopHasOneIteration) {
  EXPECT_EQ(judge("once", obligation_of<Obligations>(Repeated(1), "product_in_place_1_once")).verdict,
            Verdict::proved);
  EXPECT_EQ(judge("once", obligation_of<Obligations>(RepeatedOwned(1), "product_in_place_1_once")).verdict,
            Verdict::proved);
}

/// An owner of one choice too many.
struct TooMany : Slipped {
  using Slipped::Slipped;
  template <class Reading>
  std::vector<IntOf<Reading>> owner(const Work<Reading>&, const impl::Term<IntOf<Reading>>& t) const {
    return {t.n, t.oh, t.ow, t.kh, t.kw};
  }
};

TEST(Owners, OfAnotherNumberOfChoicesAreRefused) {
  EXPECT_THAT(
      [] { Obligations(TooMany(Slip::none)).made(); },
      ThrowsMessage<WrongOwner>(HasSubstr("owner gives 5 choices, but 4 lead to product_1_of_stage_1")));
}

}  // namespace
}  // namespace wgradcheck::proofs
