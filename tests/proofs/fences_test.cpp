#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "impl/run.hpp"
#include "impl/schedule/chunked.hpp"
#include "impl/trace.hpp"
#include "proofs/schedule/explore.hpp"
#include "proofs/schedule/prove.hpp"

/// What would be proved and wrong is no schedule, or does not compile.
namespace wgradcheck::proofs {
namespace {

using impl::Block;
using impl::Range;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// The operations of a schedule, given by its text alone.
std::vector<Found> explored(void (*schedule)(Explore&, const spec::Call<Sym>&, const Block<Sym>&)) {
  return explore(schedule);
}

void stage_one(auto& env) { env.stage(impl::Term<Sym>{0, 0, 0, 0, 0, 0, 0, 0}, 1, 1, 0, 1, 0, 0, 1); }
void multiply(auto& env) { env.product(impl::Term<Sym>{0, 0, 0, 0, 0, 0, 0, 0}, 1, 1, 1, 0, 1, 0); }

TEST(Fences, ACountOfIterationsIsSeen) {
  EXPECT_THAT(
      [] {
        explored([](auto& env, auto&, auto& b) {
          int iterations = 0;
          env.loop(b.images, [&](const Sym&) { env.clear(iterations++); });
        });
      },
      ThrowsMessage<NotASchedule>(HasSubstr("depends on the one before it: clear(0), then clear(1)")));
}

TEST(Fences, AFirstFlagIsSeen) {
  EXPECT_THAT(
      [] {
        explored([](auto& env, auto&, auto& b) {
          bool first = true;
          env.loop(b.images, [&](const Sym&) {
            if (first) env.clear(1);
            first = false;
          });
        });
      },
      ThrowsMessage<NotASchedule>(HasSubstr("clear(1), then nothing")));
}

TEST(Fences, APanelThatTheFirstTilePacksForAllIsSeen) {
  EXPECT_THAT(
      [] {
        explored([](auto& env, auto&, auto& b) {
          bool packed = false;
          env.tiles(b.cols, 4, [&](const auto&) {
            if (!packed) stage_one(env);
            packed = true;
            multiply(env);
          });
        });
      },
      ThrowsMessage<NotASchedule>(HasSubstr("stage(")));
}

TEST(Fences, AnEarlierIterationsIndexIsSeen) {
  EXPECT_THAT(
      [] {
        explored([](auto& env, auto&, auto& b) {
          std::vector<Sym> before;
          env.loop(b.images, [&](const Sym& i) {
            before.push_back(i);
            env.clear(before.front());
          });
        });
      },
      ThrowsMessage<NotASchedule>(HasSubstr("depends on the one before it")));
}

TEST(Fences, WhatALoopLeavesBehindIsSeen) {
  EXPECT_THAT(
      [] {
        explored([](auto& env, auto&, auto& b) {
          int iterations = 0;
          env.loop(b.images, [&](const Sym&) { ++iterations; });
          env.clear(iterations);
        });
      },
      ThrowsMessage<NotASchedule>(HasSubstr("clear(2), then clear(3)")));
}

TEST(Fences, ScratchOfAnotherIterationIsSeen) {
  const auto scratch_of = [](auto schedule) {
    const auto found = explored(schedule);
    return writers(found, found.back().place).size();
  };
  EXPECT_THAT([&] { scratch_of([](auto& env, auto&, auto&) { multiply(env); }); },
              ThrowsMessage<NotASchedule>(HasSubstr("nothing has written")));
  EXPECT_THAT(
      [&] {
        scratch_of([](auto& env, auto&, auto& b) {
          env.loop(b.images, [&env](const Sym&) { stage_one(env); });
          multiply(env);
        });
      },
      ThrowsMessage<NotASchedule>(HasSubstr("not filled first")));
  EXPECT_THAT(
      [&] {
        scratch_of([](auto& env, auto&, auto&) {
          stage_one(env);
          env.clear(1);
          multiply(env);
        });
      },
      ThrowsMessage<NotASchedule>(HasSubstr("cleared after")));
  EXPECT_EQ(scratch_of([](auto& env, auto&, auto& b) {
              env.clear(4);
              env.loop(b.images, [&env](const Sym&) { stage_one(env); });
              env.loop(b.rows, [&env](const Sym&) { multiply(env); });
            }),
            2u);
}

TEST(Fences, TwoOperationsThatAddProductsExcludeEachOther) {
  EXPECT_THAT(
      [] {
        explored([](auto& env, auto&, auto&) {
          stage_one(env);
          multiply(env);
          multiply(env);
        });
      },
      ThrowsMessage<NotASchedule>(HasSubstr("added twice")));
  EXPECT_THAT(
      [] {
        explored([](auto& env, auto& c, auto& b) {
          impl::chunked(env, c, b);
          impl::chunked(env, c, b);
        });
      },
      ThrowsMessage<NotASchedule>(HasSubstr("added twice")));
}

/// Whether a body may be given to a loop of an environment.
template <class Env, class Body>
constexpr bool takes =
    requires(Env& env, const Range<typename Env::Int>& range, const Body& body) { env.loop(range, body); };

TEST(Fences, AMutableBodyDoesNotCompile) {
  const auto pure = [](const auto&) {};
  auto changing = [i = 0](const auto&) mutable { return ++i; };
  const auto everywhere = [](auto body) {
    using Body = decltype(body);
    return takes<impl::Loops, Body> + takes<impl::Trace, Body> + takes<Explore, Body> +
           takes<Prove<Statement<Sym>>, Body> + takes<Prove<Statement<Number>>, Body>;
  };
  EXPECT_EQ(everywhere(pure), 5);
  EXPECT_EQ(everywhere(changing), 0);
}

TEST(Fences, ASymbolCannotBeAssignedNorToldApart) {
  EXPECT_FALSE((std::is_assignable_v<Sym&, Sym>));
  EXPECT_FALSE((std::is_constructible_v<std::int64_t, Sym>));
  EXPECT_FALSE((std::is_constructible_v<bool, Sym>));
  EXPECT_FALSE((std::is_constructible_v<bool, Formula>));
}

TEST(Fences, TheMachinesTilesHoldSomething) {
  const impl::Run<float>::Memory none{};
  for (const std::int64_t width : {1, 64, 1 << 20}) {
    spec::Call<std::int64_t> call{};
    call.output_w = width;
    call.output_channel = 1;
    EXPECT_GE(impl::Run<float>(call, none).line_tile(), 1);
  }
  EXPECT_GE(impl::Run<float>::channel_tile(), 1);
}

}  // namespace
}  // namespace wgradcheck::proofs
