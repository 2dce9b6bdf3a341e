#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "check/judge/compare.hpp"
#include "check/judge/number.hpp"
#include "spec/problem_line.hpp"
#include "spec/wgrad.hpp"

namespace wgradcheck::check {
namespace {

using testing::HasSubstr;

/// What a kernel makes of an element that it loads.
using Load = std::function<double(BufferId, double)>;

double as_it_is(BufferId, double value) { return value; }

/// A case with Inf, NaN or -0 in its data, as the seed chooses.
struct Drawn {
  Case test;
  Data data;

  explicit Drawn(std::uint64_t seed, const char* line = "mb2ic2ih5iw4oc2oh5ow4kh3kw2ph1pw1") {
    test.shape = std::get<spec::Shape>(spec::parse_line(line));
    test.seed = seed;
    data = make_data(test, {.non_finite = true});
  }

  /// dW by the definition in double arithmetic.
  double sum(std::int64_t i, const Load& load) const {
    double total = load(BufferId::dw, element_of(data, BufferId::dw, i));
    spec::each_product(test.shape, spec::element_at(test.shape, i), [&](std::int64_t dy, std::int64_t x) {
      total += load(BufferId::dy, element_of(data, BufferId::dy, dy)) *
               load(BufferId::x, element_of(data, BufferId::x, x));
    });
    return total;
  }

  std::optional<Finding> finding(const Load& load, const char* promise = "dw=add") const {
    Promises promises;
    promises.make(promise);
    std::vector<std::byte> dw(static_cast<std::size_t>(bytes_of(test, BufferId::dw)));
    for (std::int64_t i = 0; i < spec::dw_elems(test.shape); ++i) store(test.dtype, dw, i, sum(i, load));
    return compare_dw(test, data, promises, {{}, {}, dw, {}});
  }
};

constexpr std::uint64_t kSeeds = 60;

TEST(SpecialNumbers, EachKindIsDrawnAndTheDefinitionPasses) {
  int in_dy = 0, in_x = 0, in_dw = 0, minus_zero = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Drawn s(seed);
    EXPECT_FALSE(s.finding(as_it_is)) << seed;
    const bool both = !s.data.dy_special.empty() && !s.data.x_special.empty();
    ++(both ? minus_zero : !s.data.dw_special.empty() ? in_dw : s.data.x_special.empty() ? in_dy : in_x);
  }
  EXPECT_GT(in_dy, 0);
  EXPECT_GT(in_x, 0);
  EXPECT_GT(in_dw, 0);
  EXPECT_GT(minus_zero, 0);
}

TEST(SpecialNumbers, AMinusZeroThatCountsAsAnotherNumberIsACounterexample) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    if (const auto f =
            Drawn(seed).finding([](BufferId, double v) { return v == 0 && std::signbit(v) ? -2048 : v; })) {
      ++found;
      EXPECT_TRUE(f->counterexample);
      EXPECT_THAT(f->detail, HasSubstr("-0 in dy or x"));
    }
  EXPECT_GT(found, 0);
}

TEST(SpecialNumbers, AMinusZeroThatGivesNaNIsACounterexample) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    if (const auto f = Drawn(seed).finding(
            [](BufferId, double v) { return v == 0 && std::signbit(v) ? std::nan("") : v; })) {
      ++found;
      EXPECT_TRUE(f->counterexample);
      EXPECT_THAT(f->detail, HasSubstr("-0 in dy or x"));
    }
  EXPECT_GT(found, 0);
}

TEST(SpecialNumbers, AnElementBesideThemThatIsWrongIsACounterexample) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Drawn s(seed);
    if (is_of_zeros(s.data)) continue;
    // Inf and NaN themselves are as they should be.
    const auto f = s.finding([](BufferId, double v) { return std::isfinite(v) ? v + 1 : v; });
    if (!f) continue;
    ++found;
    EXPECT_TRUE(f->counterexample);
    EXPECT_THAT(f->detail, HasSubstr("that no Inf or NaN reaches is wrong"));
  }
  EXPECT_GT(found, 0);
}

TEST(SpecialNumbers, AnXWhoseInfAndNanAreSwallowedIsACounterexample) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    if (const auto f = Drawn(seed).finding(
            [](BufferId id, double v) { return id == BufferId::x && !std::isfinite(v) ? 1 : v; })) {
      ++found;
      EXPECT_TRUE(f->counterexample);
      EXPECT_THAT(f->detail, HasSubstr("does not arrive"));
    }
  EXPECT_GT(found, 0);
}

TEST(SpecialNumbers, WhatDwHeldMustNotStayWhereTheSumIsStoredOverIt) {
  // The old value times 0, as a general matrix product with beta = 0 must not have it.
  const Load times_zero = [](BufferId id, double v) { return id == BufferId::dw ? 0 * v : v; };
  const Load dropped = [](BufferId id, double v) { return id == BufferId::dw ? 0 : v; };
  int found = 0, lost = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Drawn s(seed);
    if (s.data.dw_special.empty()) continue;
    EXPECT_FALSE(s.finding(dropped, "dw=overwrite"));
    if (const auto f = s.finding(times_zero, "dw=overwrite")) {
      ++found;
      EXPECT_TRUE(f->counterexample);
      EXPECT_THAT(f->detail, HasSubstr("that dW held stays"));
    }
    // Added to, it must stay.
    lost += s.finding(dropped).has_value();
  }
  EXPECT_GT(found, 0);
  EXPECT_GT(lost, 0);
}

TEST(SpecialNumbers, AThinnedDyIsNotMultipliedWithInf) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Drawn s(seed, "mb1ic1ih40iw40oc1oh40ow40kh1kw1");
    s.data = make_data(s.test, {.exact_bits = 7, .non_finite = true});
    EXPECT_TRUE(s.data.x_special.empty() || !s.data.dy_special.empty());
  }
}

}  // namespace
}  // namespace wgradcheck::check
