#include "check/judge/identity.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "check/judge/oracle.hpp"
#include "check/judge/weigh.hpp"
#include "check/search/generate.hpp"
#include "spec/problem_line.hpp"
#include "tests/check/vector_kinds.hpp"

namespace wgradcheck::check {
namespace {

/// Whether integers pass as sums.
bool pass(const Case& c, const Data& d, const std::vector<std::int32_t>& sums) {
  return are_exact_sums(c.shape, d.dy, d.x, {.sums = sums, .dw = {}, .old = {}});
}

Domain fp32_private() {
  Domain domain;
  domain.abi = find_abi("mt7004_fp32_p");
  return domain;
}

RC_GTEST_PROP(Identity, AcceptsTheTrueSums, ()) {
  const Case c = *cases(fp32_private());
  const Data d = make_data(c, {});
  RC_ASSERT(pass(c, d, exact_sums(c.shape, d.dy, d.x)));
}

RC_GTEST_PROP(Identity, RejectsOneWrongElementWhereverItIs, ()) {
  const Case c = *cases(fp32_private());
  const Data d = make_data(c, {});
  auto sums = exact_sums(c.shape, d.dy, d.x);
  const auto at = *rc::gen::inRange<std::size_t>(0, sums.size());
  sums[at] += *rc::gen::element(-16777216, -4096, -1, 1, 2, 65536, 16777216);
  RC_ASSERT(!pass(c, d, sums));
}

RC_GTEST_PROP(Identity, RejectsTwoErrorsThatCancelInTheSum, ()) {
  const Case c = *cases(fp32_private());
  const Data d = make_data(c, {});
  auto sums = exact_sums(c.shape, d.dy, d.x);
  if (sums.size() < 2) return;
  ++sums.front();
  --sums.back();
  RC_ASSERT(!pass(c, d, sums));
}

TEST(Identity, HoldsInThreeDimensionsAndGroups) {
  Case c;
  c.shape = {2, 2, 6, 4, {5, 3, 3, 1, 1, 0}, {6, 3, 2, 2, 2, 1}, {4, 4, 3, 1, 1, 1}};
  c.seed = 5;
  const Data d = make_data(c, {});
  auto sums = exact_sums(c.shape, d.dy, d.x);
  EXPECT_TRUE(pass(c, d, sums));
  ++sums[sums.size() / 2];
  EXPECT_FALSE(pass(c, d, sums));
}

TEST(Identity, RejectsSumsTooLargeToBeTrue) {
  Case c;
  c.shape = {1, 1, 1, 1, spec::kNoAxis, {2, 2, 1, 1, 1, 0}, {2, 2, 1, 1, 1, 0}};
  const Data d = make_data(c, {});
  auto sums = exact_sums(c.shape, d.dy, d.x);
  sums[0] = 0x7fffffff;
  EXPECT_FALSE(pass(c, d, sums));
}

/// A case of a line, its numbers and its sums.
struct Summed {
  Case test;
  Data data;
  std::vector<std::int32_t> sums;

  explicit Summed(const char* line) {
    test.shape = std::get<spec::Shape>(spec::parse_line(line));
    test.seed = 3;
    data = make_data(test, {});
    sums = exact_sums(test.shape, data.dy, data.x);
  }
  bool passes() const { return pass(test, data, sums); }
  bool passes(const Secrets& secrets) const {
    return are_exact_sums(test.shape, data.dy, data.x, {.sums = sums, .dw = {}, .old = {}}, secrets);
  }
  std::int32_t& at(const spec::Element& e) {
    return sums[static_cast<std::size_t>(spec::dw_offset(test.shape, e.g, e.co, e.kd, e.kh, e.kw, e.ci))];
  }
};

TEST(Identity, SeesAWrongElementAtEveryTapOfEveryGroupWithEveryKindOfVector) {
  with_every_kind_of_vector([] {
    for (const char* line :
         {"mb2ic3ih23oc16kh7sh2ph3", "mb1ic3ih27oc20kh5sh4", "mb3ic17ih19oc33kh3sh3ph1", "mb2ic5ih40oc1kh1",
          "g2mb2ic40ih9oc34kh3ph1", "g3mb2ic9ih17oc6kh3ph2dh1", "g32mb2ic128ih9oc64kh3ph1",
          "g11mb2ic11ih9oc44kh5ph2sh2", "g9mb2ic153ih5oc9kh2", "mb1ic700ih3oc2kh2",
          "g2mb2ic4id6ih9iw9oc6kd3kh5kw2pd1ph2pw0", "mb2ic6ih11iw40oc5kh5kw3sw4ph2pw0"}) {
      Summed s(line);
      EXPECT_TRUE(s.passes()) << line;
      const spec::Shape& shape = s.test.shape;
      for (std::int64_t i = 0; i < std::ssize(s.sums); ++i) {
        const spec::Element e = spec::element_at(shape, i);
        // One element of each group and tap, another one each time.
        if (e.co != (e.kh + e.g) % spec::out_per_group(shape) ||
            e.ci != (e.kw + 7 * e.kh) % spec::in_per_group(shape))
          continue;
        ++s.at(e);
        EXPECT_FALSE(s.passes()) << line << ", element " << i;
        --s.at(e);
      }
    }
  });
}

TEST(Identity, CombinesRowsOfTapsOnlyWhereThatTakesFewerProducts) {
  const auto combines = [](const char* line) {
    return combines_taps(std::get<spec::Shape>(spec::parse_line(line)));
  };
  EXPECT_TRUE(combines("mb2ic3ih224oc64oh112kh7sh2ph3"));
  EXPECT_TRUE(combines("mb2ic96ih27oc256kh5ph2"));
  EXPECT_FALSE(combines("mb2ic64ih56oc64kh1"));
  EXPECT_FALSE(combines("mb2ic64ih56iw1oc64kh9kw1ph4"));
}

/// Equal weights for all.
Weights equal(std::int64_t count) {
  const std::vector<std::int32_t> ones(static_cast<std::size_t>(count), 1);
  return {ones, ones};
}

TEST(Identity, OnlyTheWeightsKeepErrorsFromCancelling) {
  Summed s("g2mb2ic6ih23oc8kh7sh2ph3");
  const spec::Shape& shape = s.test.shape;
  ASSERT_TRUE(combines_taps(shape));
  const auto spoilt = [&](const spec::Element& a, const spec::Element& b, const Secrets& known) {
    s.at(a) += 5;
    s.at(b) -= 5;
    EXPECT_TRUE(s.passes(known));
    EXPECT_FALSE(s.passes());
    s.at(a) -= 5;
    s.at(b) += 5;
  };
  Secrets known = fresh_secrets(shape);
  known.t = equal(7);
  spoilt({1, 2, 0, 0, 3, 1}, {1, 2, 0, 6, 3, 1}, known);
  known = fresh_secrets(shape);
  known.u = equal(4);
  spoilt({0, 0, 0, 2, 3, 1}, {0, 3, 0, 2, 3, 1}, known);
  known = fresh_secrets(shape);
  known.v = equal(3);
  spoilt({0, 1, 0, 2, 6, 0}, {0, 1, 0, 2, 6, 2}, known);
}

TEST(Identity, ErrorsOfNeighbouringColumnsOfTapsAndOfGroupsDoNotCancelUnderAnyWeights) {
  Summed s("g2mb2ic6ih23oc8kh7sh2ph3");
  const Secrets known{equal(4), equal(3), equal(7)};
  for (const spec::Element& b : {spec::Element{0, 0, 0, 0, 1, 0}, spec::Element{1, 0, 0, 0, 0, 0}}) {
    ++s.at({});
    --s.at(b);
    EXPECT_FALSE(s.passes(known));
    --s.at({});
    ++s.at(b);
  }
}

TEST(Identity, TakesFloatsAndWhatDwHeldBeforeWithEveryKindOfVector) {
  const Summed s("g2mb2ic6ih9oc14kh3ph1");
  std::vector<float> dw;
  for (std::size_t i = 0; i < s.sums.size(); ++i) dw.push_back(static_cast<float>(s.sums[i] + s.data.dw[i]));
  const auto passes = [&](std::span<const std::int16_t> old) {
    return are_exact_sums(s.test.shape, s.data.dy, s.data.x, {.sums = {}, .dw = dw, .old = old});
  };
  with_every_kind_of_vector([&] {
    EXPECT_TRUE(passes(s.data.dw));
    EXPECT_FALSE(passes({}));
    for (const std::size_t at : {std::size_t{0}, dw.size() / 2, dw.size() - 1}) {
      const float right = dw[at];
      for (const float bad : {right + 1, right + 0.5F, -right, 0x1p24F, -0x1p25F, 0x1p31F, -0x1p40F,
                              std::numeric_limits<float>::infinity(), std::nanf("")}) {
        dw[at] = bad;
        EXPECT_FALSE(passes(s.data.dw)) << bad;
      }
      dw[at] = right;
    }
  });
}

TEST(Identity, AZeroMayHaveASign) {
  const Case c{.shape = std::get<spec::Shape>(spec::parse_line("mb1ic20ih3oc3kh1"))};
  const std::vector<float> dw(60, -0.0F);
  const Integers dy(27, 0), x(180, 1);
  with_every_kind_of_vector(
      [&] { EXPECT_TRUE(are_exact_sums(c.shape, dy, x, {.sums = {}, .dw = dw, .old = {}})); });
}

TEST(Identity, TheLargestNumbersAndWeightsAreWeighedExactlyWithEveryKindOfVector) {
  constexpr std::int32_t kMost = INT32_MAX - (1 << 15), kLeast = -INT32_MAX + (1 << 15) - 1;
  with_every_kind_of_vector([] {
    for (const std::int64_t channels : {1, 2, 3, 4, 5, 8, 11, 16, 17, 32, 33, 64, 479, 480, 481, 1000})
      for (const std::int32_t weight : {kMost, kLeast, 0x7ffe7fff, -0x7ffe8000, 0x7fff, -0x8000})
        for (const std::int16_t value : {std::int16_t{2047}, std::int16_t{-2047}}) {
          const std::vector<std::int32_t> all(static_cast<std::size_t>(channels), weight);
          Plane plane;
          weigh(Integers(static_cast<std::size_t>(19 * channels), value), channels, 1, {all, all}, plane);
          for (const auto& round : plane.sums)
            for (std::size_t pixel = 0; pixel < 19; ++pixel)
              EXPECT_EQ(round[pixel], residue(channels * weight * value)) << channels << ' ' << weight;
        }
  });
}

TEST(Identity, ResiduesAreThoseOfTheRemainder) {
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{1}, kPrime - 1, kPrime, kPrime + 1,
                                   7 * kPrime, (std::int64_t{1} << 60) - (std::int64_t{1} << 31) - 12345})
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
