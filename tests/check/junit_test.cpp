#include "check/report/junit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/check/markup.hpp"
#include "tests/check/verdicts.hpp"

namespace wgradcheck::check {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string of(const Verdict& v) {
  const std::string xml = junit_report(v, invocation());
  EXPECT_EQ(malformed(xml).value_or(""), "") << xml;
  EXPECT_EQ(count_of(xml, "<testsuite "), 1);
  EXPECT_EQ(count_of(xml, "<testcase "), 7);
  return xml;
}

TEST(Junit, APassIsSevenPassedCases) {
  const std::string xml = of(verdict_of({}));
  EXPECT_THAT(xml, HasSubstr("tests=\"7\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"1.500\""));
  EXPECT_THAT(xml, HasSubstr("timestamp=\"1970-01-01T00:00:00\""));
  EXPECT_THAT(xml, HasSubstr("name=\"nonfinite\" time=\"0.214\"/>"));
  EXPECT_THAT(xml, HasSubstr("value=\"ic&lt;8 &amp;&amp; oc&gt;1\""));
}

TEST(Junit, ACounterexampleIsAFailureThatEndsInItsReplay) {
  const std::string xml = of(verdict_of({counterexample_of("mb1ic1ih2iw1oc1oh1ow1kh2kw1dh1")}));
  EXPECT_THAT(xml, HasSubstr("tests=\"7\" failures=\"1\" errors=\"0\" skipped=\"0\""));
  EXPECT_THAT(xml, HasSubstr("got 24, expected 9"));
  EXPECT_THAT(xml, HasSubstr("--seed 7 --magnitude 9\n</failure>"));
}

TEST(Junit, AChannelNotJudgedIsSkipped) {
  Verdict v = verdict_of({});
  v.channels_skipped = {"memory"};
  v.unseen = {"hang: what happens after the time limit"};
  for (const bool seen : {true, false}) {
    v.memory_seen = seen;
    const std::string xml = of(v);
    EXPECT_THAT(xml, HasSubstr("errors=\"0\" skipped=\"1\""));
    EXPECT_THAT(xml, HasSubstr(std::string("name=\"memory\" time=\"0.000\">\n      <skipped message=\"") +
                               (seen ? "skipped by --skip" : "not seen from here")));
  }
}

TEST(Junit, NoVerdictIsAnErrorOfEveryCaseThatWasToBeJudged) {
  Verdict v = verdict_of({});
  v.answer = Verdict::Answer::none;
  v.run = 0;
  v.channels_skipped = {"hang"};
  const std::string xml = of(v);
  EXPECT_THAT(xml, HasSubstr("failures=\"0\" errors=\"6\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<error message=\"no verdict: Nothing ran.\"/>"));
}

TEST(Junit, WhatACrashKeptFromBeingJudgedHasNotPassed) {
  Counterexample crash = counterexample_of("mb1ic1ih2iw1oc1oh1ow1kh2kw1dh1");
  crash.finding = {Property::crash, true, "ended by signal 6 (Aborted)", {}, 0, 0};
  const std::string xml = of(verdict_of({crash}));
  EXPECT_THAT(xml, HasSubstr("failures=\"1\" errors=\"0\" skipped=\"6\""));
}

TEST(Junit, AComparisonOfNoRunIsSkippedAndOneOfSomeIsJudged) {
  Verdict v = verdict_of({});
  v.against.emplace().old = "old.c";
  EXPECT_THAT(junit_report(v, invocation()),
              AllOf(HasSubstr("tests=\"8\" failures=\"0\" errors=\"0\" skipped=\"1\""),
                    HasSubstr("name=\"against\" time=\"0.000\">\n      <skipped message=\"no run was ")));
  v.against->all.same = 1;
  EXPECT_THAT(junit_report(v, invocation()), HasSubstr("failures=\"0\" errors=\"0\" skipped=\"0\""));
  v.against->all.beyond = 1;
  EXPECT_THAT(junit_report(v, invocation()), HasSubstr("failures=\"1\" errors=\"0\" skipped=\"0\""));
}

TEST(Junit, NoByteOfAMessageBreaksTheXml) {
  Counterexample found = counterexample_of("mb1ic1ih2iw1oc1oh1ow1kh2kw1dh1");
  found.finding.detail = "a \x01\x1b[31m \"<b>\" ]]> & \xff\xc3 \xed\xa0\x80 \xef\xbf\xbf \xc3\xa9";
  Verdict v = verdict_of({found});
  v.kernel = "a\nb \x7f.c: \"f\"";
  const std::string xml = of(v);
  EXPECT_THAT(xml, HasSubstr("\xc3\xa9"));
  EXPECT_THAT(xml, Not(HasSubstr("\xff")));
  EXPECT_THAT(xml, Not(HasSubstr("\xed\xa0\x80")));
  EXPECT_THAT(xml, HasSubstr("]]&gt;"));
}

TEST(Markup, TheTestsOwnReaderSeesWhatIsMalformed) {
  for (const char* text :
       {"<a><b></a></b>", "<a>", "<a x=1/>", "<a>&</a>", "<a>\x01</a>", "</a>", "<a x=\"<\"/>"})
    EXPECT_TRUE(malformed(text)) << text;
  EXPECT_EQ(malformed("<a x=\"1\">b &lt; <c/></a>"), std::nullopt);
}

}  // namespace
}  // namespace wgradcheck::check
