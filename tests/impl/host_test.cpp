#include "impl/host/host.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <thread>

#include "impl/host/crew.hpp"
#include "spec/problem_line.hpp"
#include "spec/wgrad.hpp"
#include "tests/impl/each_target.hpp"
#include "tests/impl/guarded.hpp"
#include "tests/impl/problems.hpp"
#include "tests/spec/shapes.hpp"

namespace wgradcheck::impl::host {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Elements that are integers in [-most, most], or reals between.
template <class T>
std::vector<T> random_elements(std::int64_t count, int most, std::mt19937& random, bool whole = true) {
  std::uniform_real_distribution<float> pick(static_cast<float>(-most), static_cast<float>(most));
  std::vector<T> out;
  for (std::int64_t i = 0; i < count; ++i)
    out.push_back(rounded<T>(whole ? std::round(pick(random)) : pick(random)));
  return out;
}

/// Computes with every tensor ending at an inaccessible page, from a workspace of NaN.
template <class In, class Out>
std::vector<Out> computed(const Problem& problem, const std::vector<In>& dy, const std::vector<In>& x,
                          const std::vector<Out>& old) {
  const Plan plan = host::plan(problem, !std::is_same_v<In, float>, 1);
  const Guarded<In> left(dy), right(x);
  const Guarded<Out> dw(old);
  const Guarded<float> workspace(std::vector<float>(static_cast<std::size_t>(plan.floats()), kNaN));
  host::run<In, Out>(problem, plan, left.data(), right.data(), dw.data(), workspace.data());
  return dw.copy();
}

/// Channels and groups that reach every path: dense, few channels, depthwise, multipliers, groups of few.
rc::Gen<spec::Shape> any_host_shape() {
  return rc::gen::exec([] {
    constexpr int kWhole = 100;  // RapidCheck's own sizes begin with nothing
    const auto few = rc::gen::resize(kWhole, rc::gen::inRange<std::int64_t>(1, 5));
    const auto many = rc::gen::resize(kWhole, rc::gen::inRange<std::int64_t>(1, 70));
    spec::Shape s{*few, 1, *many, *many, spec::kNoAxis, *spec::any_axis(9), *spec::any_axis(9)};
    switch (*rc::gen::element(0, 1, 2, 3, 4, 5, 6)) {
      case 0:
        s.groups = *many;
        s.in_channels = s.groups;
        s.out_channels = s.groups * *few;
        break;
      case 1:
        s.groups = *few + 1;
        s.in_channels = s.groups * *few;
        s.out_channels = s.groups * *few;
        break;
      case 2:
        s.groups = 2;
        s.in_channels = 2 * *many;
        s.out_channels = 2 * *few;
        break;
      case 3:
        s.height = s.width = {*few + 3, *few + 3, 1, 1, 1, 0};
        s.width.output = s.width.input;
        s.height.output = s.height.input;
        s.in_channels = 16 * *few;
        s.out_channels = 4 * *few;
        break;
      case 4:
        s.depth = *spec::any_axis(5);
        break;
      case 5:
        s.groups = *few;
        s.in_channels = s.out_channels = 16 * s.groups;
        break;
      default:
        break;
    }
    return s;
  });
}

/// Asserts that a random problem gives the plain sum, exact since the numbers are small integers.
template <class In, class Out>
void is_the_sum() {
  const auto problem = *rc::gen::exec([] {
    return Problem{*any_host_shape(), *rc::gen::arbitrary<bool>(), *rc::gen::inRange<std::int64_t>(1, 5)};
  });
  const spec::Shape& s = problem.shape;
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const auto dy = random_elements<In>(spec::dy_elems(s), 1, random);
  const auto x = random_elements<In>(spec::x_elems(s), 2, random);
  const auto old = random_elements<Out>(spec::dw_elems(s), 3, random);
  const auto got = computed<In, Out>(problem, dy, x, old);
  const auto left = floats(dy), right = floats(x);
  RC_TAG(std::string(name_of(plan(problem, !std::is_same_v<In, float>).path)));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto sum = spec::element<double>(s, spec::element_at(s, static_cast<std::int64_t>(i)),
                                           std::span<const float>(left), std::span<const float>(right));
    const double want = (problem.accumulate ? to_float(old[i]) : 0.0) + sum.value;
    RC_ASSERT(to_float(got[i]) == to_float(rounded<Out>(static_cast<float>(want))));
  }
}

RC_GTEST_PROP(Host, OfFloatsIsTheSumOnEveryShape, ()) { is_the_sum<float, float>(); }
RC_GTEST_PROP(Host, OfHalvesIsTheSumRoundedOnce, ()) { is_the_sum<Half, Half>(); }
RC_GTEST_PROP(Host, OfBfloatsIsTheSumRoundedOnce, ()) { is_the_sum<Bfloat, Bfloat>(); }
RC_GTEST_PROP(Host, OfHalvesGivesTheSumInFloatToo, ()) { is_the_sum<Half, float>(); }
RC_GTEST_PROP(Host, OfBfloatsGivesTheSumInFloatToo, ()) { is_the_sum<Bfloat, float>(); }

spec::Shape shape_of(const char* line) { return std::get<spec::Shape>(spec::parse_line(line)); }

/// A shape of each path, of several boxes.
constexpr const char* kPaths[] = {
    "mb3ic64ih30oc40kh1",        "mb2ic40ih40oc36kh3ph1",          "mb2ic20ih33oc50kh3ph1",
    "mb2ic3ih60oc64kh7sh2ph3",   "g70mb2ic70ih40oc70kh3ph1",       "g8mb2ic32ih40oc32kh3sh2ph1",
    "g9mb3ic144ih20oc144kh3ph1", "mb2ic48id9ih20oc17kd3kh3pd1ph1", "mb1ic300ih3iw400oc20kh3kw5ph1pw2dh1",
    "mb2ic36ih40oc36kh3ph1dh1"};

TEST(Host, TakesEveryPath) {
  std::set<std::string> paths;
  for (const char* line : kPaths) paths.insert(name_of(plan({shape_of(line), false, 1}, false).path));
  EXPECT_EQ(paths, (std::set<std::string>{"direct", "taps", "folded", "swapped", "lanes"}));
}

TEST(Host, SharesItsThreadsAmongCallersAndWithForkedProcesses) {
  const auto all_done = [] {
    for (const std::int64_t count : {1, 2, 5, 3, 9}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
      work_together(count, [&](std::int64_t i) { ++calls[static_cast<std::size_t>(i)]; });
      for (const auto& called : calls)
        if (called != 1) return false;
    }
    return true;
  };
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < 4; ++i) callers.emplace_back([&] { right += all_done() ? 1 : 0; });
  }
  EXPECT_EQ(right, 4);
  const pid_t child = fork();
  if (child == 0) _exit(all_done() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

/// The library on one element type.
template <class Element>
class HostOf : public testing::Test {};
using Elements = testing::Types<float, Half, Bfloat>;
TYPED_TEST_SUITE(HostOf, Elements);

TYPED_TEST(HostOf, GivesTheSameBitsForEveryNumberOfThreads) {
  using T = TypeParam;
  std::mt19937 random(5);
  for (const char* line : kPaths) {
    const spec::Shape s = shape_of(line);
    const auto dy = random_elements<T>(spec::dy_elems(s), 3, random, false);
    const auto x = random_elements<T>(spec::x_elems(s), 3, random, false);
    const std::vector<T> old(static_cast<std::size_t>(spec::dw_elems(s)), rounded<T>(kNaN));
    const auto one = computed<T, T>({s, false, 1}, dy, x, old);
    for (const std::int64_t threads : {2, 3, 7}) {
      EXPECT_GT(plan({s, false, threads}, !std::is_same_v<T, float>, 1).threads, 1) << line;
      const auto more = computed<T, T>({s, false, threads}, dy, x, old);
      EXPECT_EQ(std::memcmp(one.data(), more.data(), one.size() * sizeof(T)), 0) << line << ' ' << threads;
    }
  }
}

TYPED_TEST(HostOf, IsTheSumOnEveryInstructionSet) {
  using T = TypeParam;
  std::mt19937 random(6);
  on_each_target([&] {
    for (const char* line :
         {"mb1ic35ih9oc21kh3ph1", "mb1ic16ih9oc20kh1", "mb1ic3ih9oc18kh3ph1", "g9mb2ic9ih11oc9kh5ph2",
          "g6mb1ic24ih8oc24kh3ph1", "g7mb1ic14ih8oc14kh3ph1", "g3mb1ic24ih8oc24kh2ph1",
          "g5mb1ic15ih8oc10kh3ph1", "g3mb2ic48ih8oc48kh3ph1", "mb2ic24ih9oc17kh3ph1",
          "mb1ic36ih9oc21kh3ph1dh1", "mb3ic24id1ih4iw6oc1od3oh4ow6kd3kh1kw1sd2pd1"}) {
      const spec::Shape s = shape_of(line);
      const auto dy = random_elements<T>(spec::dy_elems(s), 4, random);
      const auto x = random_elements<T>(spec::x_elems(s), 4, random);
      const auto left = floats(dy), right = floats(x);
      const std::vector<float> old(static_cast<std::size_t>(spec::dw_elems(s)), kNaN);
      const auto got = computed<T, float>({s, false, 2}, dy, x, old);
      for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_EQ(got[i], spec::element<double>(s, spec::element_at(s, static_cast<std::int64_t>(i)),
                                                std::span<const float>(left), std::span<const float>(right))
                              .value)
            << line << ' ' << i;
    }
  });
}

TYPED_TEST(HostOf, LeavesWhatIsNotFiniteOutOfPaddedTaps) {
  using T = TypeParam;
  for (const char* line :
       {"mb1ic40ih6oc20kh3ph1", "mb1ic3ih6oc64kh3ph1", "mb1ic3ih6oc8kh3ph1", "g20mb1ic20ih6oc20kh3ph1"}) {
    const spec::Shape s = shape_of(line);
    std::vector<T> dy(static_cast<std::size_t>(spec::dy_elems(s)), rounded<T>(1.0f));
    // The first pixel meets tap (0, 0) in the padding alone.
    std::fill_n(dy.begin(), s.out_channels, rounded<T>(std::numeric_limits<float>::infinity()));
    const std::vector<T> x(static_cast<std::size_t>(spec::x_elems(s)), rounded<T>(1.0f));
    const auto got = computed<T, float>(
        {s, false, 1}, dy, x, std::vector<float>(static_cast<std::size_t>(spec::dw_elems(s)), kNaN));
    constexpr float kOthers = 25;  // pixels that meet it inside the input
    for (std::size_t i = 0; i < got.size(); ++i) {
      const spec::Element e = spec::element_at(s, static_cast<std::int64_t>(i));
      const bool padded = e.kh == 0 && e.kw == 0, inside = e.kh > 0 && e.kw > 0;
      if (!padded && !inside) continue;
      EXPECT_EQ(got[i], padded ? kOthers : std::numeric_limits<float>::infinity()) << line << ' ' << i;
    }
  }
}

TEST(Host, StoresALargeDwRightWhereverItLies) {
  std::mt19937 random(7);
  // Rows of whole cache lines, and of half ones.
  for (const char* line : {"mb1ic512ih3oc130kh3ph1", "mb1ic504ih3oc132kh3ph1"}) {
    const Problem problem{shape_of(line), false, 2};
    const Plan plan = host::plan(problem, false, 1);
    ASSERT_TRUE(plan.streams) << line;
    EXPECT_FALSE(host::plan({problem.shape, false, 2}, true, 1).streams) << "sums in memory of their own";
    const spec::Shape& s = problem.shape;
    const auto dy = random_elements<float>(spec::dy_elems(s), 4, random);
    const auto x = random_elements<float>(spec::x_elems(s), 4, random);
    std::vector<float> want;
    for (std::int64_t i = 0; i < plan.dw; ++i)
      want.push_back(
          static_cast<float>(spec::element<double>(s, spec::element_at(s, i), std::span<const float>(dy),
                                                   std::span<const float>(x))
                                 .value));
    on_each_target([&] {
      for (const std::size_t behind : {0, 1}) {
        std::vector<float> memory(want.size() + 64 + behind, kNaN);
        void* at = memory.data();
        std::size_t bytes = memory.size() * sizeof(float);
        float* const dw =
            static_cast<float*>(std::align(64, want.size() * sizeof(float), at, bytes)) + behind;
        std::vector<float> workspace(static_cast<std::size_t>(plan.floats()));
        const Guarded<float> left(dy), right(x);
        host::run<float, float>(problem, plan, left.data(), right.data(), dw, workspace.data());
        EXPECT_EQ(std::memcmp(dw, want.data(), want.size() * sizeof(float)), 0) << line << ' ' << behind;
      }
    });
  }
}

}  // namespace
}  // namespace wgradcheck::impl::host
