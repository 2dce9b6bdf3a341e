#include "proofs/judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "impl/ranges.hpp"
#include "proofs/given.hpp"

namespace wgradcheck::proofs {
namespace {

using testing::HasSubstr;

TEST(Judge, RefutesARangeThatForgetsDilationAndShowsTheLeastAxis) {
  const Result result = judge(
      "", holds("", "", [](auto& p) {
        const auto axis = given_axis(p);
        const auto output = index_below(p, "p", axis.output), tap = index_below(p, "r", axis.kernel);
        const auto range = p.subject([&] {
          return impl::touched(spec::Axis<IntOf<decltype(p)>>{axis.input, axis.output, axis.kernel,
                                                              axis.stride, 1, axis.pad_before},
                               tap);
        });
        p.claim("the same outputs", iff(impl::contains(range, output), spec::touches(axis, output, tap)));
      }));
  EXPECT_EQ(result.verdict, Verdict::refuted);
  EXPECT_EQ(result.witness, "kernel=2 stride=1 dilation=2 pad_before=0 output=1 input=2 p=0 r=1");
  EXPECT_EQ(result.detail, "false: the same outputs");
}

TEST(Judge, RefutesWhatOnlyALargeNumberBreaks) {
  const Result result = judge("", holds("", "", [](auto& p) {
                                const auto a = p.integer("a");
                                p.claim("small", p.subject([&] { return a * a; }) <= 1'000'000'000'000);
                              }));
  EXPECT_EQ(result.verdict, Verdict::refuted);
  EXPECT_THAT(result.witness, testing::AnyOf("a=1000001", "a=-1000001"));
}

TEST(Judge, FindsAssumptionsThatExcludeEachOtherVacuous) {
  const Result result = judge("", holds("", "", [](auto& p) {
                                const auto a = p.integer("a"), b = p.integer("b");
                                p.assume("below", a < b);
                                p.assume("above", b < a + 1);
                                p.claim("anything", p.subject([&] { return a + b; }) == 0);
                              }));
  EXPECT_EQ(result.verdict, Verdict::vacuous);
  EXPECT_EQ(result.detail, "nothing satisfies the assumptions");
}

TEST(Judge, FindsAClaimThatNoMutantBreaksVacuous) {
  const Result result = judge("", holds("", "", [](auto& p) {
                                const auto a = p.integer("a"), b = p.integer("b");
                                p.assume("nothing", b == 0);
                                p.claim("a sum or a difference", p.subject([&] { return a + b; }) == a);
                              }));
  EXPECT_EQ(result.verdict, Verdict::vacuous);
  EXPECT_EQ(result.detail, "no mutant of the formula is refuted");
}

TEST(Judge, FindsWhatNeedsNoFactOfTheFormulaVacuous) {
  const auto judged = [](auto claims) {
    return judge("", holds("", "", [claims](auto& p) {
                   const auto a = at_least(p, 1, "a"), b = at_least(p, 1, "b");
                   claims(p, a, p.subject([&] { return a + b; }));
                 }));
  };
  const Result idle = judged([](auto& p, const auto& a, const auto& sum) {
    p.claim("of others", 0 < a + a);
    p.claim("by itself", sum < sum + 1);
  });
  EXPECT_EQ(idle.verdict, Verdict::vacuous);
  EXPECT_THAT(idle.idle, testing::ElementsAre("of others", "by itself"));
  const Result of_loops = [] {
    Obligation o = holds("", "", [](auto& p) {
      const auto a = at_least(p, 1, "a");
      p.claim("by itself", p.subject([&] { return a + a; }) < a + a + 1 || 0 < a);
    });
    o.of_one_text = true;
    return judge("", o);
  }();
  EXPECT_EQ(of_loops.verdict, Verdict::proved) << of_loops.detail;
  EXPECT_THAT(of_loops.idle, testing::ElementsAre("by itself"));
  const Result some = judged([](auto& p, const auto& a, const auto& sum) {
    p.claim("on the way", 0 < a + a);
    p.claim("of the sum", a < sum);
  });
  EXPECT_EQ(some.verdict, Verdict::proved) << some.detail;
  EXPECT_THAT(some.idle, testing::ElementsAre("on the way"));
}

TEST(Judge, KeepsWhatAClaimRestsOn) {
  const Result result = judge("", holds("", "", [](auto& p) {
                                const auto a = at_least(p, 1, "a"), b = at_least(p, 2, "b"),
                                           c = at_least(p, 3, "c");
                                const auto sum = p.subject([&] { return a + b; });
                                p.claim("large", 3 <= sum);
                                p.claim("larger", 6 <= sum + c);
                              }));
  ASSERT_EQ(result.cores.size(), 2u);
  EXPECT_EQ(result.cores[0].first, "large");
  EXPECT_THAT(result.cores[0].second, testing::ElementsAre("a", "b", "not large"));
  EXPECT_THAT(result.cores[1].second, testing::Contains("c"));
}

TEST(Judge, DoesNotTakeAStatementThatClaimsNothingForProved) {
  const Result result = judge("", holds("", "", [](auto& p) { p.integer("a"); }));
  EXPECT_EQ(result.verdict, Verdict::unknown);
}

TEST(Judge, LeavesATruthThatNoLemmaSupportsUnknown) {
  const Result result = judge("", holds("", "", [](auto& p) {
                                const auto a = p.integer("a");
                                p.claim("a square", 0 <= p.subject([&] { return a * a; }));
                              }));
  EXPECT_EQ(result.verdict, Verdict::unknown);
  EXPECT_EQ(result.detail, "no proof of the claim a square");
}

TEST(Judge, FindsValuesInsideAssumptionsThatAWalkMisses) {
  const Result result = judge("", holds("", "", [](auto& p) {
                                const auto a = p.integer("a");
                                p.assume("a rare number", a * 7 == 86'419'753);
                                p.claim("found", p.subject([&] { return a + 1; }) == 12'345'680);
                              }));
  EXPECT_EQ(result.verdict, Verdict::proved) << result.detail;
}

TEST(Judge, TellsOfEachQuery) {
  std::vector<std::string> names;
  judge("s",
        holds("o", "The sentence.",
              [](auto& p) {
                const auto a = p.integer("a");
                p.claim("first", p.subject([&] { return a + 1; }) > a);
                p.claim("second", a < a + 2);
              }),
        [&](const std::string& name, const Query& query, Answer answer) {
          names.push_back(name);
          EXPECT_EQ(answer, Answer::unsatisfiable);
          EXPECT_THAT(query.script, HasSubstr("; s.o: The sentence."));
        });
  EXPECT_THAT(names, testing::ElementsAre("s.o.1", "s.o.2"));
}

TEST(Judge, RefusesAStatementThatDeclaresAVariableTwice) {
  const auto twice = holds("", "", [](auto& p) { p.claim("equal", p.integer("a") == p.integer("a")); });
  EXPECT_THROW(judge("", twice), std::logic_error);
}

}  // namespace
}  // namespace wgradcheck::proofs
