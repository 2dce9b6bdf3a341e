#include "check/search/where.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "check/kernel.hpp"
#include "tests/spec/shapes.hpp"

namespace wgradcheck::check {
namespace {

spec::Shape shape(const char* line) { return std::get<spec::Shape>(spec::parse_line(line)); }

bool holds(std::string_view text, const char* line = "g2mb3ic16ih9iw5oc4oh5ow3kh3kw1sh2sw2ph1pw0dh0dw0") {
  return Where::parse(text)(shape(line));
}

/// The sentence of the refusal, without the expression that it repeats.
std::string error(const std::string& text) {
  try {
    Where::parse(text);
    return "accepted";
  } catch (const BadInput& bad) {
    const std::string start = "--where \"" + text + "\": ";
    EXPECT_TRUE(bad.sentence.starts_with(start)) << bad.sentence;
    return bad.sentence.substr(start.size());
  }
}

TEST(Where, ReadsEveryNameInTheProblemLinesConvention) {
  EXPECT_TRUE(holds("g==2 && mb==3 && ic==16 && oc==4"));
  EXPECT_TRUE(
      holds("ih==9 && iw==5 && oh==5 && ow==3 && kh==3 && kw==1 && sh==2 && sw==2 && ph==1 && pw==0"));
  EXPECT_TRUE(holds("id==1 && od==1 && kd==1 && sd==1 && pd==0 && dd==0"));
  EXPECT_TRUE(holds("dh==0 && dw==0")) << "0 is dense";
  EXPECT_TRUE(holds("dh==1 && dw==2", "ic1oc1ih9kh3dh1iw9kw3dw2"));
}

TEST(Where, ComputesWithTheLanguagesPrecedence) {
  EXPECT_TRUE(holds("2+3*4==14 && (2+3)*4==20 && 20-5-3==12 && 24/4/3==2"));
  EXPECT_TRUE(holds("1 || 0 && 0"));
  EXPECT_FALSE(holds("(1 || 0) && 0"));
  EXPECT_TRUE(holds("!0 && !!5 && !(ic==8) && - -3==3 && +3--3==6"));
  EXPECT_TRUE(holds("1<2 == 3>=3")) << "comparisons bind tighter than equality";
  EXPECT_TRUE(holds("-7/2==-3 && -7%2==-1")) << "division rounds towards zero";
  EXPECT_TRUE(holds(" ic % 8 == 0&&kh!=2 "));
}

TEST(Where, AShapeWithoutAValueIsOutsideTheDomain) {
  EXPECT_FALSE(holds("ic/(kh-3)>=0"));
  EXPECT_FALSE(holds("ic%(kw-1)==0 || 1"));
  EXPECT_FALSE(holds("ic*9223372036854775807>0"));
  EXPECT_FALSE(holds("!(ic/(kh-3))"));
  EXPECT_TRUE(holds("kh==3 || ic/(kh-3)==0")) << "the right side is not needed";
  EXPECT_FALSE(holds("kh!=3 && ic/(kh-3)==0"));
}

TEST(Where, RefusesWithTheColumnAndWhatWasExpected) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "expected a number, a name, (, ! or -, found the end at column 1"},
      {"ic%8=0", "expected ==, found = at column 5"},
      {"ic>1 & kh>1", "expected &&, found & at column 6"},
      {"ic==1 kh==1", "expected an operator or the end, found k at column 7"},
      {"ic==", "expected a number, a name, (, ! or -, found the end at column 5"},
      {"ic==)", "expected a number, a name, (, ! or -, found ) at column 5"},
      {"(ic==1", "expected an operator or ), found the end at column 7"},
      {"ic==1)", "expected an operator or the end, found ) at column 6"},
      {"8ic", "expected an operator or the end, found i at column 2"},
      {"ic%0==0", "division by zero at column 3"},
      {"ic/(3-3)", "division by zero at column 3"},
      {"1<ic<8", "expected && between two comparisons, found < at column 5"},
      {"ic==oc==g", "expected && between two comparisons, found = at column 7"},
      {"99999999999999999999>ic", "99999999999999999999 does not fit 64 bits at column 1"},
      {"ci==1",
       "unknown name ci (known: g mb ic oc id ih iw od oh ow kd kh kw sd sh sw pd ph pw dd dh dw) at column "
       "1"},
      {std::string(5000, '('), "more than 100 nested operands at column 101"},
      {std::string(5000, '!'), "more than 100 nested operands at column 101"}};
  for (const auto& [text, expected] : wrong) EXPECT_EQ(error(text), expected) << text;
}

TEST(Where, ALongChainNeedsNoDeepStack) {
  std::string sum = "0";
  for (int i = 0; i < 100000; ++i) sum += "+1";
  EXPECT_TRUE(holds(sum + "==100000"));
}

TEST(Where, SeveralConditionsAllHold) {
  Where both;
  EXPECT_TRUE(both(shape("ic7oc1ih1kh1")));
  both &= Where::parse("ic==7 || ic==8");
  both &= Where::parse("oc==1");
  EXPECT_EQ(both.text(), "(ic==7 || ic==8) && oc==1");
  EXPECT_TRUE(both(shape("ic7oc1ih1kh1")));
  EXPECT_FALSE(both(shape("ic7oc2ih1kh1")));
  EXPECT_FALSE(both(shape("ic9oc1ih1kh1")));
  EXPECT_EQ(both.aims().size(), 3U);
}

TEST(Where, ListsWhatASearchShouldAimAt) {
  const spec::Shape s = shape("ic4oc6ih9kh3");
  const auto aims = [&](std::string_view text) {
    std::string out;
    const Where where = Where::parse(text);
    for (const Aim& aim : where.aims()) {
      constexpr const char* kWords[]{"=", "*", ">=", "<="};
      out += aim.field + kWords[static_cast<int>(aim.kind)] + std::to_string(*evaluate(aim.value, s)) + " ";
    }
    return out;
  };
  EXPECT_EQ(aims("ic%8==0 && kh==3"), "ic*8 kh=3 ");
  EXPECT_EQ(aims("0==ic%8"), "ic*8 ");
  EXPECT_EQ(aims("ic%(2*oc)==0"), "ic*12 ");
  EXPECT_EQ(aims("ic>=32 && ic<64"), "ic>=32 ic<=63 ");
  EXPECT_EQ(aims("4*kh>oh"), "oh<=11 ");
  EXPECT_EQ(aims("ih==iw"), "ih=9 iw=9 ");
  EXPECT_EQ(aims("(ic+1)%8==0 || ic%8==1 || ic!=3 || ic==ic || !(oc==2) || (ic+1)*2==oc-2"), "");
}

RC_GTEST_PROP(Where, AnyTextIsReadOrRefusedWithASentence, ()) {
  const auto token = rc::gen::elementOf(
      std::vector<std::string>{"ic", "kh", "g",  "0",  "1",  "8", "+", "-", "*", "/", "%", "<", ">",
                               "<=", "==", "!=", "&&", "||", "!", "(", ")", " ", "=", "&", "x", "\t"});
  std::string text;
  for (const std::string& t : *rc::gen::container<std::vector<std::string>>(token)) text += t;
  const spec::Shape s = *spec::any_shape(9);
  try {
    const Where where = Where::parse(text);
    RC_ASSERT(where(s) == Where::parse("(" + text + ")")(s));
    for (const Aim& aim : where.aims()) evaluate(aim.value, s);
  } catch (const BadInput& bad) {
    RC_ASSERT(bad.sentence.find(" at column ") != std::string::npos);
  }
}

}  // namespace
}  // namespace wgradcheck::check
