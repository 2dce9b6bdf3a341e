#include "check/report/other_tools.hpp"

#include <gtest/gtest.h>

#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

std::vector<ToolLine> tools_of(const char* line, DType t = DType::f32) {
  return other_tools(std::get<spec::Shape>(spec::parse_line(line)), t);
}

TEST(OtherTools, ASymmetricShapeHasALineForEach) {
  const auto tools = tools_of("mb4ic8ih14iw15oc16oh7ow15kh3kw5sh2ph1pw4dw1");
  ASSERT_EQ(tools.size(), 3U);
  EXPECT_EQ(tools[0].line,
            "benchdnn --conv --dir=BWD_W --dt=f32 --stag=axb --dtag=axb "
            "mb4ic8ih14iw15oc16oh7ow15kh3kw5sh2ph1dw1");
  EXPECT_EQ(tools[1].line,
            "MIOpenDriver conv -n 4 -c 8 -H 14 -W 15 -k 16 -y 3 -x 5 -p 1 -q 4 -u 2 -v 1 -l 1 -j 2 -g 1 -F 4 "
            "-I NHWC "
            "-O NHWC -f NHWC -V 1");
  EXPECT_EQ(
      tools[2].line,
      "cutlass_profiler --operation=Conv2d --conv_kind=wgrad --Activation=f32:nhwc --Filter=f32:nhwc "
      "--Output=f32:nhwc --n=4 --h=14 --w=15 --c=8 --k=16 --r=3 --s=5 --p=7 --q=15 --g=1 --pad_h=1 --pad_w=4 "
      "--stride_h=2 --stride_w=1 --dilation_h=1 --dilation_w=2");
  for (const ToolLine& tool : tools) EXPECT_EQ(tool.why_not, "") << tool.tool;
}

TEST(OtherTools, SixteenBitTypesHaveTheirOwnWords) {
  const auto tools = tools_of("ic8ih4oc8oh4kh1", DType::f16);
  EXPECT_NE(tools[0].line.find(" --dt=f16 "), std::string::npos) << tools[0].line;
  EXPECT_EQ(tools[1].line.find("MIOpenDriver convfp16 -n 2 "), 0U) << tools[1].line;
  EXPECT_NE(tools[2].line.find("--Filter=f16:nhwc "), std::string::npos) << tools[2].line;
  EXPECT_EQ(tools_of("ic8ih4oc8oh4kh1", DType::bf16)[1].line.find("MIOpenDriver convbfp16 "), 0U);
}

TEST(OtherTools, AnOutputThatMIOpenWouldNotComputeIsSaid) {
  const auto tools = tools_of("mb1ic1ih4iw1oc1oh4ow1kh3kw1ph2");
  EXPECT_EQ(tools[1].line, "");
  EXPECT_EQ(tools[1].why_not, "with a pad of 2 on both sides it computes oh = 6, not 4");
  EXPECT_NE(tools[0].line, "");
  EXPECT_NE(tools[2].line, "");
}

TEST(OtherTools, RowsThatOneDNNWouldNotLeaveUnreadAreSaid) {
  EXPECT_EQ(tools_of("mb1ic1ih6iw1oc1oh2ow1kh1kw1sh2ph0")[0].why_not,
            "oh = 2 leaves more of ih = 6 unread than a stride");
  EXPECT_EQ(tools_of("mb1ic1ih4iw1oc1oh2ow1kh1kw1sh2ph0")[0].why_not, "");
}

TEST(OtherTools, DepthIsWrittenAndGroupsThatATestersKernelsLackAreSaid) {
  const auto grouped = tools_of("g2mb1ic4ih4oc4oh4kh1");
  EXPECT_NE(grouped[1].line.find(" -g 2 "), std::string::npos);
  EXPECT_EQ(grouped[2].why_not, "its wgrad kernels take one group, not 2");
  const auto deep = tools_of("mb1ic1id3ih3iw3oc1od1oh1ow1kd3kh3kw3");
  EXPECT_NE(deep[0].line, "");
  EXPECT_NE(deep[1].line.find("--spatial_dim 3 --in_d 3 --fil_d 3 --pad_d 0 "), std::string::npos)
      << deep[1].line;
  EXPECT_NE(deep[1].line.find(" -I NDHWC "), std::string::npos) << deep[1].line;
  EXPECT_NE(deep[2].line.find("--operation=Conv3d "), std::string::npos) << deep[2].line;
  EXPECT_NE(deep[2].line.find(" --d=3 --t=3 --z=1 "), std::string::npos) << deep[2].line;
  EXPECT_EQ(tools_of("g2mb1ic2id3ih3iw3oc2od1oh1ow1kd3kh3kw3")[2].why_not,
            "its wgrad kernels take one group, not 2");
}

}  // namespace
}  // namespace wgradcheck::check
