#include "check/judge/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "check/judge/certified.hpp"
#include "check/judge/localise.hpp"
#include "check/judge/number.hpp"
#include "check/judge/oracle.hpp"
#include "check/judge/pairs.hpp"
#include "spec/problem_line.hpp"
#include "spec/wgrad.hpp"
#include "tests/check/vector_kinds.hpp"

namespace wgradcheck::check {
namespace {

using testing::HasSubstr;

/// A shape large enough for the identity: 18 million products, 2,304 elements of 8,192 terms.
constexpr const char* kLarge = "mb8ic16ih32oc16kh3ph1";

/// A case with its numbers and the dW that a right kernel leaves.
struct Judged {
  Case test;
  Data data;
  std::vector<std::byte> dw;

  explicit Judged(const char* line, DType t = DType::f32, Bias bias = Bias::none) {
    test.shape = std::get<spec::Shape>(spec::parse_line(line));
    test.dtype = t;
    test.bias = bias;
    test.seed = 7;
    data = make_data(test, {});
    dw.resize(static_cast<std::size_t>(bytes_of(test, BufferId::dw)));
    const std::vector<double> right = expected_dw(test, data, Promises());
    for (std::size_t i = 0; i < right.size(); ++i) store(t, dw, static_cast<std::int64_t>(i), right[i]);
  }
  double at(std::int64_t i) const { return load(test.dtype, dw, i); }
  void set(std::int64_t i, double value) { store(test.dtype, dw, i, value); }
  std::optional<Finding> finding() { return compare_dw(test, data, Promises(), {{}, {}, dw, {}}); }
};

TEST(Compare, ALargeRightDwPassesInEveryTypeAndWithABias) {
  for (const DType t : {DType::f32, DType::f16, DType::bf16})
    for (const Bias bias : {Bias::none, Bias::column, Bias::per_output})
      EXPECT_FALSE(Judged(kLarge, t, bias).finding());
}

TEST(Compare, TheWrongElementsOfALargeDwAreCountedAndTheFirstIsNamed) {
  for (const DType t : {DType::f32, DType::f16, DType::bf16}) {
    Judged j(kLarge, t);
    for (const std::int64_t i : {2000, 1234, 1235}) j.set(i, -j.at(i) - 1);
    const auto finding = j.finding();
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->element, spec::element_at(j.test.shape, 1234));
    EXPECT_EQ(finding->got, j.at(1234));
    EXPECT_EQ(finding->expected, expected_dw(j.test, j.data, Promises())[1234]);
    EXPECT_THAT(finding->detail, HasSubstr("3 of 2304 elements of dW are wrong"));
  }
}

TEST(Compare, AnElementThatIsNoSmallIntegerIsToldAtAnySize) {
  for (const char* line : {kLarge, "mb1ic3ih5oc2kh3ph1"})
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 0.5, 0x1p24, -0x1p25}) {
      Judged j(line);
      j.set(20, bad);
      const auto finding = j.finding();
      ASSERT_TRUE(finding) << bad;
      EXPECT_EQ(finding->element, spec::element_at(j.test.shape, 20));
      EXPECT_THAT(
          finding->detail,
          HasSubstr(std::isnan(bad) ? "it is NaN" : "; one element is no integer below 2^24 in magnitude"));
    }
}

TEST(Compare, SeveralElementsThatAreNoSmallIntegersAreCountedAndTheOnlyOneIsNot) {
  Judged several("mb1ic3ih5oc2kh3ph1"), only("mb1ic1ih1oc1kh1");
  for (const std::int64_t i : {3, 20}) several.set(i, 0.5);
  only.set(0, 0.5);
  EXPECT_THAT(several.finding()->detail, HasSubstr("; 2 elements are no integer below 2^24"));
  EXPECT_THAT(only.finding()->detail,
              HasSubstr("the one element of dW is wrong; it is no integer below 2^24"));
}

TEST(Compare, ALargeDwThatWasLeftAsItWasIsToldSo) {
  Judged j(kLarge);
  for (std::size_t i = 0; i < j.data.dw.size(); ++i) j.set(static_cast<std::int64_t>(i), j.data.dw[i]);
  const auto finding = j.finding();
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->detail, HasSubstr("all left as they were"));
}

TEST(Compare, OneWrongElementThatHoldsItsOldValueIsNotSaidToBeLeft) {
  Judged j("mb1ic3ih5oc2kh3ph1");
  j.set(20, j.data.dw[20]);
  const auto finding = j.finding();
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->detail, "1 of 54 elements of dW is wrong");
}

TEST(Localise, TheProjectionPointsAtEveryRowWithAnErrorAndAtNoOther) {
  for (const char* line : {"mb2ic12ih9oc10kh3ph1", "g2mb2ic40ih6oc10kh2sh2", "g16mb1ic32ih7oc48kh3ph1dh1"}) {
    const Judged j(line);
    const spec::Shape& s = j.test.shape;
    auto sums = exact_sums(s, j.data.dy, j.data.x);
    const std::int64_t ins = spec::in_per_group(s), last = std::ssize(sums) / ins - 1;
    EXPECT_TRUE(wrong_rows(s, j.data.dy, j.data.x, sums).empty());
    // Two errors in one row that cancel in its sum, and one in the last.
    sums[static_cast<std::size_t>(5 * ins)] += 3;
    sums[static_cast<std::size_t>(5 * ins + 1)] -= 3;
    sums.back() += 1;
    EXPECT_THAT(wrong_rows(s, j.data.dy, j.data.x, sums), testing::ElementsAre(5, last));
    EXPECT_EQ(exact_row(s, j.data.dy, j.data.x, 5)[0], sums[static_cast<std::size_t>(5 * ins)] - 3);
  }
}

TEST(Certified, TheSumsOfTheFastKernelAreTheExactOnes) {
  for (const char* line : {"mb2ic12ih9oc10kh3ph1", "g2mb2ic40ih6oc10kh2sh2", "mb2ic16ih7oc24kh1",
                           "mb2ic3id4ih5iw6oc8kd2kh3kw2pd1", "g16mb2ic64ih9oc64kh3ph1"}) {
    const Judged j(line);
    EXPECT_EQ(certified_sums(j.test.shape, j.data.dy, j.data.x),
              exact_sums(j.test.shape, j.data.dy, j.data.x));
  }
}

TEST(Certified, SumsThatFloatDoesNotHoldAreNotCertified) {
  Judged j("mb4ic2ih9oc3kh3ph1");
  for (Integers* values : {&j.data.dy, &j.data.x})
    for (std::int16_t& v : *values) v = static_cast<std::int16_t>(2047 - (&v - values->data()) % 2);
  EXPECT_FALSE(certified_sums(j.test.shape, j.data.dy, j.data.x));
}

TEST(Oracle, SumsOfGroupsOfOneInputChannelAreTheDefinitionsWithEveryKindOfVector) {
  with_every_kind_of_vector([] {
    for (const char* line : {"g1mb2ic1ih6oc1kh3ph1", "g19mb2ic19ih6oc19kh3sh2ph1", "g53mb1ic53ih5oc53kh2",
                             "g32mb3ic32ih6oc32kh3dh1", "g8mb5ic8ih17oc8kh3ph1", "g9mb2ic9ih6oc18kh3ph1",
                             "g11mb1ic11ih5oc33kh2sh2", "g5mb2ic5ih5oc20kh3", "g3mb1ic3ih4oc15kh2",
                             "mb2ic1ih5oc3kh2", "g16mb1ic16ih12iw1oc16kh5kw1ph2pw0"}) {
      const Judged j(line);
      const auto sums = exact_sums(j.test.shape, j.data.dy, j.data.x);
      const auto long_sums = exact_long_sums(j.test.shape, j.data.dy, j.data.x);
      for (std::int64_t i = 0; i < std::ssize(sums); ++i) {
        const std::int64_t value =
            spec::element<std::int64_t>(j.test.shape, spec::element_at(j.test.shape, i),
                                        std::span<const std::int16_t>(j.data.dy),
                                        std::span<const std::int16_t>(j.data.x))
                .value;
        EXPECT_EQ(sums[static_cast<std::size_t>(i)], value) << line;
        EXPECT_EQ(long_sums[static_cast<std::size_t>(i)], value) << line;
      }
    }
  });
}

}  // namespace
}  // namespace wgradcheck::check
