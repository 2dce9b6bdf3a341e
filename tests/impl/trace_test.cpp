#include <gmock/gmock.h>

#include "tests/impl/traces.hpp"

namespace wgradcheck::impl {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

/// Axes whose six numbers are small: every one of them.
std::vector<spec::Axis<Int>> axes(Int inputs, Int kernels, Int pads) {
  std::vector<spec::Axis<Int>> all;
  for (Int input = 1; input <= inputs; ++input)
    for (Int output = 1; output <= 2; ++output)
      for (Int kernel = 1; kernel <= kernels; ++kernel)
        for (Int stride = 1; stride <= 2; ++stride)
          for (Int dilation = 1; dilation <= 2; ++dilation)
            for (Int pad = 0; pad <= pads; ++pad)
              all.push_back({input, output, kernel, stride, dilation, pad});
  return all;
}

/// Calls visit(shape) for each shape of a small box.
template <class Visit>
void each_shape(const Visit& visit) {
  struct Channels {
    Int groups, in, out;
  };
  for (const auto& height : axes(3, 3, 2))
    for (const auto& width : axes(2, 2, 1))
      for (const auto& [groups, in, out] : {Channels{1, 1, 1}, {1, 2, 3}, {2, 2, 2}, {2, 4, 2}})
        visit(spec::Shape{2, groups, in, out, spec::kNoAxis, height, width});
}

TEST(Schedules, AddEachProductOfTheSumOnceOnAllOfABox) {
  std::uint64_t shapes = 0;
  each_shape([&](const spec::Shape& s) { ASSERT_TRUE(every_schedule_is_the_sum(s, ++shapes)); });
  EXPECT_EQ(shapes, 55'296u);
}

TEST(Schedules, AddEachProductOfTheSumOnceOnRandomShapes) {
  for (std::uint64_t seed = 0; seed < 5'000; ++seed) {
    Draw draw(seed);
    ASSERT_TRUE(every_schedule_is_the_sum(some_shape(draw), seed)) << "seed " << seed;
  }
}

TEST(Cores, AddEachProductOfTheSumOnceTogether) {
  for (std::uint64_t seed = 0; seed < 5'000; ++seed) {
    Draw draw(seed);
    const spec::Shape s = some_shape(draw);
    auto call = call_with_some_buffer(s, draw);
    call.core_num = draw.between(1, 5);
    const auto products = spec::is_depthwise(call)   ? done_by_cores(call, draw, Depthwise{})
                          : spec::is_pointwise(call) ? done_by_cores(call, draw, Pointwise{})
                                                     : done_by_cores(call, draw, Chunked{});
    ASSERT_EQ(products, defined(s)) << spec::to_line(s) << " on " << call.core_num << " cores, seed " << seed;
  }
}

/// How a schedule is first seen not to be the sum on some random shapes; empty when it is not.
template <class Env = Trace, class Schedule>
std::string caught(const Schedule& schedule) {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Draw draw(seed);
    const spec::Shape s = some_shape(draw);
    if (spec::is_depthwise(spec::call_of(s, 4, 1, 0))) continue;
    if (const auto result = is_the_sum<Env>(s, seed, schedule); !result) return result.message();
  }
  return "";
}

constexpr const char *kOther = "other products", *kUnwritten = "read before it is written";

/// An environment that distorts what a schedule stages.
struct DropsAChannel : Trace {
  using Trace::Trace;
  void stage(const Term<Int>& t, Int count, Int channels, Int x, Int x_step, Int row, Int col, Int step) {
    if (channels > 1) Trace::stage(t, count, channels - 1, x, x_step, row, col, step);
  }
};
struct ReadsOneTooFar : Trace {
  using Trace::Trace;
  void stage(const Term<Int>& t, Int count, Int channels, Int x, Int x_step, Int row, Int col, Int step) {
    Trace::stage(t, count, channels, x + 1, x_step, row, col, step);
  }
};
struct ForgetsTheStride : Trace {
  using Trace::Trace;
  void stage(const Term<Int>& t, Int count, Int channels, Int x, Int, Int row, Int col, Int step) {
    Trace::stage(t, count, channels, x, channels, row, col, step);
  }
};
struct ForgetsToClear : Trace {
  using Trace::Trace;
  void clear(Int) {}
};
struct ClearsTooMuch : Trace {
  using Trace::Trace;
  void clear(Int count) { Trace::clear(count + 1); }
};

TEST(Trace, SeesWrongOperations) {
  EXPECT_THAT(caught(Chunked{}), "");
  EXPECT_THAT(caught<DropsAChannel>(Chunked{}), AnyOf(HasSubstr(kOther), HasSubstr(kUnwritten)));
  EXPECT_THAT(caught<ReadsOneTooFar>(Chunked{}), AnyOf(HasSubstr(kOther), HasSubstr("x[")));
  EXPECT_THAT(caught<ForgetsTheStride>(Chunked{}), HasSubstr(kOther));
  EXPECT_THAT(caught<ForgetsToClear>(Chunked{}), HasSubstr(kUnwritten));
  EXPECT_THAT(caught<ClearsTooMuch>(Chunked{}), HasSubstr("scratch["));
}

/// Slips of whole schedules.
struct Twice {
  void operator()(Trace& env, const spec::Call<Int>& c, const Block<Int>& b) const {
    chunked(env, c, b);
    chunked(env, c, b);
  }
};
struct ForgetsTheLastImage {
  void operator()(Trace& env, const spec::Call<Int>& c, const Block<Int>& b) const {
    chunked(env, c, {b.group, b.rows, b.cols, {b.images.first, b.images.last - 1}});
  }
};
struct ForgetsTheGroup {
  void operator()(Trace& env, const spec::Call<Int>& c, const Block<Int>& b) const {
    chunked(env, c, {Int(0), b.rows, b.cols, b.images});
  }
};
struct TakesAnyCallForPointwise {
  void operator()(Trace& env, const spec::Call<Int>& c, const Block<Int>& b) const { pointwise(env, c, b); }
};

TEST(Trace, SeesWrongSchedules) {
  EXPECT_THAT(caught(Twice{}), HasSubstr(kOther));
  EXPECT_THAT(caught(ForgetsTheLastImage{}), HasSubstr(kOther));
  EXPECT_THAT(caught(ForgetsTheGroup{}), HasSubstr(kOther));
  EXPECT_NE(caught(TakesAnyCallForPointwise{}), "");
}

TEST(Trace, SeesAnAccessPastAnArray) {
  const spec::Shape s{1, 1, 1, 1, spec::kNoAxis, spec::kNoAxis, spec::kNoAxis};
  const auto call = spec::call_of(s, 4, 1, 8);
  Trace trace(call, {0, {0, 1}, {0, 1}, {0, 1}}, {1, 1, [] { return true; }});
  const Term<Int> term{};
  EXPECT_THROW(trace.product_in_place(term, 1, 1, 2, 0, 0), Stray);
  EXPECT_THROW(trace.product_in_place(term, 2, 1, 1, 0, 0), Stray);
  EXPECT_THROW(trace.product_in_place(term, 1, 2, 1, 0, 0), Stray);
  EXPECT_THROW(trace.product_in_place(term, 1, 1, 0, 0, 0), Stray);
  EXPECT_THROW(trace.stage(term, 1, 1, -1, 1, 0, 0, 1), Stray);
  EXPECT_THROW(trace.channel_products(term, 1, 1, 1, 1, 0, 0, 0), Stray);
  EXPECT_THROW(trace.finite(term, 1, 2, 0), Stray);
  const auto before = trace.products().size();
  trace.product_in_place(term, 1, 1, 1, 0, 0);
  EXPECT_EQ(trace.products().size(), before + 1);
}

}  // namespace
}  // namespace wgradcheck::impl
