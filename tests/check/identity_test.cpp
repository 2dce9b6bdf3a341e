#include "check/judge/identity.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <rapidcheck/gtest.h>

#include "check/judge/oracle.hpp"
#include "check/judge/weigh.hpp"
#include "check/search/generate.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

Domain fp32_private() {
  Domain domain;
  domain.abi = find_abi("mt7004_fp32_p");
  return domain;
}

RC_GTEST_PROP(Identity, AcceptsTheTrueSums, ()) {
  const Case c = *cases(fp32_private());
  const Data d = make_data(c, {});
  RC_ASSERT(are_exact_sums(c.shape, d.dy, d.x, exact_sums(c.shape, d.dy, d.x)));
}

RC_GTEST_PROP(Identity, RejectsOneWrongElementWhereverItIs, ()) {
  const Case c = *cases(fp32_private());
  const Data d = make_data(c, {});
  auto sums = exact_sums(c.shape, d.dy, d.x);
  const auto at = *rc::gen::inRange<std::size_t>(0, sums.size());
  sums[at] += *rc::gen::element(-16777216, -4096, -1, 1, 2, 65536, 16777216);
  RC_ASSERT(!are_exact_sums(c.shape, d.dy, d.x, sums));
}

RC_GTEST_PROP(Identity, RejectsTwoErrorsThatCancelInTheSum, ()) {
  const Case c = *cases(fp32_private());
  const Data d = make_data(c, {});
  auto sums = exact_sums(c.shape, d.dy, d.x);
  if (sums.size() < 2) return;
  ++sums.front();
  --sums.back();
  RC_ASSERT(!are_exact_sums(c.shape, d.dy, d.x, sums));
}

TEST(Identity, HoldsInThreeDimensionsAndGroups) {
  Case c;
  c.shape = {2, 2, 6, 4, {5, 3, 3, 1, 1, 0}, {6, 3, 2, 2, 2, 1}, {4, 4, 3, 1, 1, 1}};
  c.seed = 5;
  const Data d = make_data(c, {});
  auto sums = exact_sums(c.shape, d.dy, d.x);
  EXPECT_TRUE(are_exact_sums(c.shape, d.dy, d.x, sums));
  ++sums[sums.size() / 2];
  EXPECT_FALSE(are_exact_sums(c.shape, d.dy, d.x, sums));
}

TEST(Identity, RejectsSumsTooLargeToBeTrue) {
  Case c;
  c.shape = {1, 1, 1, 1, spec::kNoAxis, {2, 2, 1, 1, 1, 0}, {2, 2, 1, 1, 1, 0}};
  const Data d = make_data(c, {});
  auto sums = exact_sums(c.shape, d.dy, d.x);
  sums[0] = 0x7fffffff;
  EXPECT_FALSE(are_exact_sums(c.shape, d.dy, d.x, sums));
}

/// Restores the choice of vectors.
struct AllTargets {
  ~AllTargets() { use(hwy::SupportedTargets()); }
  static void use(std::int64_t targets) { hwy::GetChosenTarget().Update(targets); }
};

TEST(Identity, HoldsForEveryFormOfShapeWithEveryKindOfVector) {
  const AllTargets restore;
  const std::int64_t supported = hwy::SupportedTargets();
  int kinds = 0;
  for (const std::int64_t target : {HWY_AVX3, HWY_AVX2, HWY_SSE4, HWY_SCALAR}) {
    if (!(supported & target)) continue;
    ++kinds;
    AllTargets::use(target);
    for (const char* line :
         {"mb2ic3ih23oc16kh7sh2ph3", "mb1ic3ih27oc20kh5sh4", "mb3ic17ih19oc33kh3sh3ph1", "mb2ic5ih40oc1kh1",
          "g2mb2ic40ih9oc34kh3ph1", "g3mb2ic9ih17oc6kh3ph2dh1", "g32mb2ic128ih9oc64kh3ph1",
          "g11mb2ic11ih9oc44kh3ph1sh2", "g9mb2ic153ih5oc9kh2", "mb1ic7000ih3oc2kh2"}) {
      Case c;
      c.shape = std::get<spec::Shape>(spec::parse_line(line));
      c.seed = 3;
      const Data d = make_data(c, {});
      auto sums = exact_sums(c.shape, d.dy, d.x);
      EXPECT_TRUE(are_exact_sums(c.shape, d.dy, d.x, sums)) << line << ", " << hwy::TargetName(target);
      for (const std::size_t at : {std::size_t{0}, sums.size() / 3, sums.size() - 1}) {
        ++sums[at];
        EXPECT_FALSE(are_exact_sums(c.shape, d.dy, d.x, sums)) << line << ", " << hwy::TargetName(target);
        --sums[at];
      }
    }
  }
  EXPECT_GE(kinds, 1);
}

TEST(Identity, ResiduesAreThoseOfTheRemainder) {
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{1}, kPrime - 1, kPrime, kPrime + 1,
                                   7 * kPrime, (std::int64_t{1} << 61) - (std::int64_t{1} << 32)})
    for (const std::int64_t v : {value, -value, value - 12345, 12345 - value})
      EXPECT_EQ(residue(v), (v % kPrime + kPrime) % kPrime) << v;
  Wide sum;
  const std::uint64_t most = kPrime - 1;
  for (int i = 0; i < 100; ++i) sum.add(most * most);
  EXPECT_EQ(sum.value(), 100U);
}

TEST(Identity, WeightsComeFreshAndFromTheSetStated) {
  const Weights w = fresh_weights(4096);
  EXPECT_NE(w[0], w[1]);
  EXPECT_NE(w, fresh_weights(4096));
  std::int64_t negative = 0, low_bits = 0;
  for (const auto& round : w)
    for (const std::int32_t v : round) {
      EXPECT_GE(v, -(std::int64_t{1} << 31) + (1 << 15));
      EXPECT_LT(v, (std::int64_t{1} << 31) - (1 << 15));
      negative += v < 0;
      low_bits += v & 1;
    }
  // Each count has mean 4096 and deviation 45.
  EXPECT_NEAR(static_cast<double>(negative), 4096, 450);
  EXPECT_NEAR(static_cast<double>(low_bits), 4096, 450);
}

}  // namespace
}  // namespace wgradcheck::check
