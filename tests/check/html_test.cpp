#include "check/report/html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/check/kernels.hpp"
#include "tests/check/markup.hpp"
#include "tests/check/verdicts.hpp"
#include "tests/optional.hpp"
#include "tests/structure/shell.hpp"

namespace wgradcheck::check {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page_of(const Verdict& v) {
  const std::string page = html_report(v, invocation());
  EXPECT_EQ(page.find("<!DOCTYPE html>\n<html lang=\"en\""), 0U);
  std::string markup = page;
  const std::size_t style = page.find("<style>") + 7;
  markup.erase(style, page.find("</style>") - style);
  EXPECT_EQ(malformed(markup).value_or(""), "");
  for (const char* outside : {"<script", "href=", "src=", "url(", "@import"})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  return page;
}

/// Of the first element of dW, the product at `missing` is left out, that at `doubled` counted twice, and one
/// with x's pixel `extra` is too many; offsets into dy and x.
Counterexample wrong_products(const std::string& line) {
  Counterexample found = counterexample_of(line);
  found.diagnosis.products = {{0, 0, 0, 1}, {1, 1, 2, 1}, {0, 3, 1, 0}};
  found.diagnosis.products_known = true;
  return found;
}

TEST(Html, APassStatesWhatItSpeaksOfAndEndsInTheReplay) {
  const std::string page = page_of(verdict_of({}));
  for (const char* part :
       {"PASS", "No counterexample in 200 runs.", "ic&lt;8 &amp;&amp; oc&gt;1", "<code>acc=f32</code>",
        "grouped", "width:25%", "Shapes not run are not covered.",
        "<pre class=\"replay\">./wgradcheck check k.c --where 'ic&lt;8 &amp;&amp; oc&gt;1' --seed 3</pre>"})
    EXPECT_THAT(page, HasSubstr(part));
  EXPECT_EQ(count_of(page, "<figure"), 0);
  EXPECT_EQ(count_of(page, "<dt>rounding</dt>"), 0);
}

TEST(Html, APassSaysHowFarSumsWereOffAndHowSureItIs) {
  Verdict v = verdict_of({});
  v.fresh_seed = true;
  v.rounding = {0.25, case_of("mb1ic1ih2iw2oc1oh2ow2kh1kw1").shape};
  const std::string page = page_of(v);
  EXPECT_THAT(page, HasSubstr("<dt>rounding</dt><dd>worst error 0.25 of the bound, at mb1ic1"));
  EXPECT_THAT(page, HasSubstr("below 2^-60. Shapes not run are not covered."));
}

TEST(Html, TwoKernelsAreComparedByClass) {
  Verdict v = verdict_of({});
  v.against = Differences{};
  v.against->by_class = {{"dense", 1200, 30, 4}, {"grouped"}};
  const std::string page = page_of(v);
  EXPECT_THAT(page, HasSubstr("<tr><td>dense</td><td class=\"right\">1,234</td><td class=\"right\">1,200</td>"
                              "<td class=\"right\">30</td><td class=\"right\">4</td></tr>"));
  EXPECT_THAT(page, Not(HasSubstr("<td>grouped</td>")));
}

TEST(Html, ANumberThatIsNoneIsWrittenAsInTheTextAndTheReplayStandsOnce) {
  Counterexample found = counterexample_of("mb1ic1ih2iw2oc1oh2ow2kh1kw1");
  found.finding.got = -std::nan("");
  const std::string page = page_of(verdict_of({found}));
  EXPECT_THAT(page, HasSubstr("<b>nan</b>"));
  EXPECT_THAT(page, Not(HasSubstr("-nan")));
  EXPECT_EQ(count_of(page, "<pre class=\"replay\">"), 1);
}

TEST(Html, EachKindOfWrongProductIsDrawnInXAndInDyBySignAndShape) {
  const std::string page = page_of(verdict_of({wrong_products("mb1ic1ih2iw2oc1oh2ow2kh1kw1")}));
  EXPECT_EQ(count_of(page, "<figure"), 3);
  // One in the key besides those of x and of dy, where an element that is in two products bears both marks.
  EXPECT_EQ(count_of(page, "<g class=\"mark missing\"><circle"), 3);
  EXPECT_EQ(count_of(page, "<g class=\"mark extra\"><path"), 3);
  EXPECT_EQ(count_of(page, "<g class=\"mark counted\"><rect"), 3);
  EXPECT_EQ(count_of(page, "&#215;2</text>"), 2);
  EXPECT_THAT(page, HasSubstr("got 24, expected 9"));
  EXPECT_THAT(page, HasSubstr("benchdnn --conv --dir=BWD_W"));
}

TEST(Html, ThePaddingAndTheTapsInItAreDrawn) {
  const std::string page = page_of(verdict_of({counterexample_of("mb1ic1ih2iw2oc1oh3ow3kh2kw2ph1pw1")}));
  // The element's tap (0, 0) meets the padding in the first row and the first column of outputs.
  EXPECT_EQ(count_of(page, "<g class=\"mark outside\">"), 5 + 1);
  EXPECT_EQ(count_of(page, "<g class=\"mark due\">"), 2 * 4 + 1);
  EXPECT_EQ(count_of(page, "<rect class=\"pad\""), 4 * 4 - 2 * 2);
}

TEST(Html, ALargeCaseIsCutAndSaysSo) {
  const std::string page = page_of(verdict_of({counterexample_of("mb2ic8ih56iw70oc8oh56ow70kh3kw3ph1pw1")}));
  EXPECT_LT(page.size(), 400000U);
  EXPECT_THAT(page, HasSubstr("Cut: rows"));
  EXPECT_THAT(page, HasSubstr("further products of the element are not marked"));
  EXPECT_THAT(page, HasSubstr("Which products the kernel counted is not known here"));
}

TEST(Html, AStrayAccessIsDrawnAtItsBuffer) {
  Counterexample found = counterexample_of("mb1ic1ih2iw1oc1oh1ow1kh2kw1dh1");
  found.finding = {
      Property::memory, true, "wrote past the end of dw", {}, 0, 0, Stray{BufferId::dw, 8, true}};
  const std::string page = page_of(verdict_of({found}));
  EXPECT_THAT(page, HasSubstr("<figure id=\"stray\">"));
  EXPECT_THAT(page, HasSubstr("write at byte 8"));
}

TEST(Html, NoByteOfAMessageBreaksThePage) {
  Counterexample found = wrong_products("mb1ic1ih2iw2oc1oh2ow2kh1kw1");
  found.finding.detail = "<script>alert(1)</script> \x01 \xff &";
  Verdict v = verdict_of({found});
  v.kernel = "</title><b>.c";
  v.notes = {"<i>"};
  page_of(v);
}

TEST(Html, ABrowserReadsThePageAsItWasMeant) {
  WGRADCHECK_NEEDS("chromium");
  const Scratch scratch;
  const std::string page =
      html_report(verdict_of({wrong_products("mb1ic1ih2iw2oc1oh3ow3kh2kw2ph1pw1")}), invocation());
  const std::string file = scratch.write("page.html", page);
  const tests::Ran ran = tests::sh(
      "timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking --disable-component-update --disable-sync --user-data-dir=" +
      scratch.path() + "/profile --dump-dom file://" + file + " 2>/dev/null");
  ASSERT_EQ(ran.status, 0) << ran.output;
  // Elements that the browser found misplaced, it would have moved or dropped.
  for (const char* part :
       {"<section", "<figure", "<svg", "<circle", "<path", "<text", "class=\"mark missing\"",
        "class=\"mark extra\"", "class=\"mark counted\"", "class=\"mark outside\"", "class=\"pad\"",
        "class=\"says\"", "<pre class=\"replay\">", "class=\"bar\""})
    EXPECT_EQ(count_of(ran.output, part), count_of(page, part)) << part;
  EXPECT_GT(count_of(ran.output, "class=\"mark extra\""), 0);
  EXPECT_THAT(ran.output, HasSubstr("id=\"formula-x-n0-d0-c0\""));
}

}  // namespace
}  // namespace wgradcheck::check
