#include "check/report/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "check/kernel.hpp"
#include "spec/problem_line.hpp"
#include "tests/spec/shapes.hpp"

namespace wgradcheck::check {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kExample = "g1mb4ic4ih4oc4oh2kh3";

std::vector<std::string> warned(const LinePlan& plan) {
  std::vector<std::string> ids;
  for (const Warning& w : plan.warnings) ids.push_back(w.id);
  return ids;
}

std::vector<std::string> warned(const char* line, const PlanRequest& request = {}) {
  return warned(plan_line(line, request));
}

TEST(LinePlan, TheDocumentsExampleHasTheDocumentsNumbers) {
  const LinePlan plan = plan_line(kExample, {.dtype = DType::f32, .cores = 4, .buffer = {}});
  EXPECT_FALSE(plan.refusal);
  EXPECT_EQ(plan.call->buffer_size, 65536);
  EXPECT_EQ(plan.sizes.dw, 144);
  EXPECT_EQ(plan.sizes.products, 4 * 4 * 144);
  EXPECT_EQ(plan.sizes.row, 144);
  EXPECT_EQ(plan.sizes.chunk, 227);
  EXPECT_EQ(plan.sizes.chunks, 1);
  EXPECT_EQ(plan.sizes.limit, 288);
  EXPECT_EQ(plan.sizes.documented, 262144);
  EXPECT_EQ(plan.sizes.safe, 1050880);
  EXPECT_THAT(warned(plan), ElementsAre("workspace_not_for_both"));
}

TEST(LinePlan, HalfPrecisionHalvesTheRow) {
  const LinePlan plan = plan_line(kExample, {.dtype = DType::f16, .cores = 1, .buffer = 144});
  EXPECT_EQ(plan.sizes.row, 72);
  EXPECT_EQ(plan.sizes.limit, 144);
  EXPECT_EQ(plan.sizes.chunk, 1);
  EXPECT_EQ(plan.sizes.chunks, 4);
  EXPECT_THAT(warned(plan), IsEmpty());
}

TEST(LinePlan, SaysWhichConditionKeepsALineFromAPath) {
  EXPECT_THAT(plan_line(kExample, {}).not_depthwise, ElementsAre("output_channel_ 4 is not group_ 1"));
  EXPECT_THAT(plan_line(kExample, {}).not_pointwise,
              ElementsAre("kernel_h_ is 3", "kernel_w_ is 3", "the planes differ: 4x4 in, 2x2 out"));
  EXPECT_THAT(plan_line("g8ic8ih6oc8kh3ph1", {}).not_depthwise, IsEmpty());
  EXPECT_THAT(plan_line("ic8ih6oc4kh1", {}).not_pointwise, IsEmpty());
  EXPECT_THAT(plan_line("ic8ih6oc4oh5kh1ph0", {}).not_pointwise,
              ElementsAre("the planes differ: 6x6 in, 5x5 out"));
}

RC_GTEST_PROP(LinePlan, ThePathsReasonsAgreeWithTheRules, ()) {
  spec::Shape s = *spec::any_shape(5);
  s.depth = spec::kNoAxis;
  if (*rc::gen::arbitrary<bool>()) s.height.dilation = s.width.dilation = 1;
  const LinePlan plan = plan_line(spec::to_line(s), {});
  RC_ASSERT(plan.shape == s);
  RC_ASSERT(plan.not_depthwise.empty() == spec::is_depthwise(*plan.call));
  RC_ASSERT(plan.not_pointwise.empty() == spec::is_pointwise(*plan.call));
}

RC_GTEST_PROP(LinePlan, PrintsEightyColumnsOfAnyShape, ()) {
  const spec::Shape s = *spec::any_shape(9);
  std::istringstream text(
      text_of(plan_line(spec::to_line(s), {.dtype = DType::f32, .cores = 9, .buffer = 1})));
  std::int64_t first = 0;
  for (std::string line; std::getline(text, line); ++first) RC_ASSERT(first == 0 || line.size() <= 80U);
  json_of(plan_line(spec::to_line(s), {}));
}

TEST(LinePlan, RaisesAMissingBufferToTheLimitAndSaysSo) {
  const LinePlan plan = plan_line("mb1ic2048ih9oc1kh3", {});
  EXPECT_EQ(plan.call->buffer_size, 2 * 9 * 2048 * 4);
  EXPECT_FALSE(plan.refusal);
  EXPECT_THAT(warned(plan), ElementsAre("buffer_raised", "suggested_buffer_too_small"));
  EXPECT_THAT(warned("mb1ic32ih9oc1kh3"), ElementsAre("suggested_buffer_too_small"));
}

TEST(LinePlan, AGivenBufferUnderTheLimitIsRefusedWithTheSmallestValidOne) {
  const LinePlan plan = plan_line(kExample, {.dtype = DType::f32, .cores = 1, .buffer = 287});
  EXPECT_EQ(plan.refusal->field, "buffer_size_");
  ASSERT_THAT(warned(plan), ElementsAre("buffer_under_limit"));
  EXPECT_EQ(plan.warnings[0].sentence, "buffer_size_ 287 is under the limit: use 288 or more");
}

TEST(LinePlan, WarnsOfANegativePaddingAndOfAnOutputThatItChanges) {
  EXPECT_THAT(warned("mb1ic1ih8iw9oc1oh3ow4kh3kw3sh2sw2ph0pw0"), ElementsAre("padding_after_negative"));
  EXPECT_THAT(warned("mb1ic1ih9iw9oc1oh3ow4kh3kw3sh2sw2ph0pw0"),
              ElementsAre("padding_after_negative", "output_mismatch"));
}

TEST(LinePlan, WarnsOfSizesThatDoNotFitAnInt) {
  EXPECT_THAT(warned("mb1ic1ih16384iw32768oc1kh1kw1"), ElementsAre("bytes_int32", "bytes_int32"));
  EXPECT_THAT(warned("mb1ic2ih16384iw65536oc1kh1kw1"), ElementsAre("elements_int32", "bytes_int32"));
  EXPECT_THAT(warned(kExample, {.dtype = DType::f32, .cores = 1, .buffer = 1 << 29}),
              ElementsAre("workspace_int32"));
  EXPECT_THAT(warned("mb1ic1ih1iw3000000000oc1kh1kw1"),
              ElementsAre("field_int32", "field_int32", "elements_int32", "elements_int32"));
}

TEST(LinePlan, SizesBeyondSixtyFourBitsAreMissingRatherThanWrong) {
  const LinePlan plan =
      plan_line("mb1ic1ih1000000000iw1000000000oc1oh1000000000ow1000000000kh1000000000kw4", {});
  EXPECT_EQ(plan.sizes.x, 1000000000000000000);
  EXPECT_FALSE(plan.sizes.products);
  EXPECT_EQ(json_of(plan)["products"], nullptr);
  EXPECT_THAT(text_of(plan), HasSubstr("products   more than 64 bits hold"));
  EXPECT_TRUE(plan.refusal);
}

TEST(LinePlan, AThreeDimensionalLineIsSpelledOutWithoutACall) {
  const LinePlan plan = plan_line("mb1ic1id4oc1kd3", {});
  EXPECT_FALSE(plan.call);
  EXPECT_THAT(warned(plan), ElementsAre("not_2d"));
  EXPECT_EQ(json_of(plan)["path"], "none");
  EXPECT_THAT(text_of(plan), HasSubstr("cannot express"));
}

TEST(LinePlan, JsonKeepsTheLinesNames) {
  const auto json = json_of(plan_line("mb1ic1ih4oc1oh1kh3sh2ph0dh1", {}));
  EXPECT_EQ(json["line"], "mb1ic1ih4oc1oh1kh3sh2dh1");
  EXPECT_EQ(json["shape"]["dh"], 1);
  EXPECT_EQ(json["shape"]["iw"], 4);
  EXPECT_EQ(json["padding_after"]["h"], 1);
  EXPECT_EQ(json["path"], "general");
  EXPECT_EQ(json["refusal"], nullptr);
}

TEST(LinePlan, ABadLineIsOneSentence) {
  try {
    plan_line("g2ic3ih4oc4kh3", {});
    FAIL() << "accepted";
  } catch (const BadInput& bad) {
    EXPECT_EQ(bad.sentence, "line g2ic3ih4oc4kh3: ic is 3, which g = 2 does not divide");
  }
}

}  // namespace
}  // namespace wgradcheck::check
