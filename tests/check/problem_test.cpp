#include "check/search/problem.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "check/report/other_tools.hpp"
#include "check/search/draw_shape.hpp"
#include "check/search/generate.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

/// The problem line that a command is read as, or why it is refused.
std::string read(const std::string& text) {
  const auto problem = read_problem(text);
  const auto* p = std::get_if<Problem>(&problem);
  return p ? spec::to_line(p->shape) : std::get<spec::Refusal>(problem).reason;
}

std::optional<DType> dtype(const std::string& text) { return std::get<Problem>(read_problem(text)).dtype; }

TEST(Problem, IsAProblemLineOrACommandOfAnotherTester) {
  EXPECT_EQ(read("ic4ih4oc4kh3"), read("ic4ih4oc4oh2kh3"));
  EXPECT_EQ(
      read("MIOpenDriver conv -n 4 -c 8 -H 14 -W 15 -k 16 -y 3 -x 5 -p 1 -q 4 -u 2 -v 1 -l 1 -j 2 -g 2"),
      read("g2mb4ic8ih14iw15oc16oh7ow15kh3kw5sh2ph1pw4dw1"));
  EXPECT_EQ(
      read("cutlass_profiler --operation=Conv2d --n=4 --h=14 --w=15 --c=8 --k=16 --r=3 --s=5 --p=8 --q=15 "
           "--pad_h=1 --pad_w=4 --stride_h=2 --dilation_w=2"),
      read("mb4ic8ih14iw15oc16oh8ow15kh3kw5sh2ph1pw4dw1"));
  EXPECT_EQ(read("benchdnn --conv --dir=BWD_W --mb=3 --attr-scratchpad=user ic4ih4oc4kh3"),
            read("mb3ic4ih4oc4oh2kh3"));
}

TEST(Problem, HasWhatItsToolTakesForMissing) {
  EXPECT_EQ(read("MIOpenDriver conv"), read("mb100ic3ih32oc32oh30kh3"));
  EXPECT_EQ(read("MIOpenDriver conv -_ 3"), read("mb100ic3id32oc32od30kd3"));
  EXPECT_EQ(read("cutlass_profiler --operation=conv2d"), read("mb1ic64ih16oc64oh16kh3ph1"));
  EXPECT_EQ(read("cutlass_profiler --operation=Conv3d"),
            read("mb1ic32id8ih14iw14oc32od8oh14ow14kd3kh3kw3pd1ph1pw1"));
}

TEST(Problem, MayHaveLongNamesDepthQuotesAPathAndWhatALogPutsBefore) {
  EXPECT_EQ(read("MIOpenDriver convfp16 --spatial_dim 3 --in_d 4 '-@' 1 -! 4 --conv_stride_d 2"),
            "--in_d is given twice, also as -!");
  EXPECT_EQ(read("MIOpenDriver convfp16 --spatial_dim 3 --in_d 4 '-@' 2 --in_h 5 --in_w 5 -# 2"),
            read("mb100ic3id4ih5iw5oc32od2oh3ow3kd2kh3kw3sd2sh1sw1"));
  EXPECT_EQ(read("MIOpen(HIP): Command [LogCmdConvolution] ./bin/MIOpenDriver conv -n 1 # a comment"),
            read("mb1ic3ih32oc32oh30kh3"));
  EXPECT_EQ(read("MIOPEN_LOG_LEVEL=5 /opt/rocm/bin/MIOpenDriver conv -n 1"), read("mb1ic3ih32oc32oh30kh3"));
}

TEST(Problem, KnowsTheElementTypeOfACommand) {
  EXPECT_EQ(dtype("MIOpenDriver conv"), DType::f32);
  EXPECT_EQ(dtype("MIOpenDriver convfp16"), DType::f16);
  EXPECT_EQ(dtype("MIOpenDriver convbfp16"), DType::bf16);
  EXPECT_EQ(dtype("cutlass_profiler --operation=Conv2d --Activation=bf16:nhwc"), DType::bf16);
  EXPECT_EQ(dtype("cutlass_profiler --operation=Conv2d"), std::nullopt);
  EXPECT_EQ(dtype("benchdnn --conv --dt=f16 ic4ih4oc4kh3"), DType::f16);
  EXPECT_EQ(dtype("ic4ih4oc4kh3"), std::nullopt);
}

TEST(Problem, PadsByItsModeWhereNothingIsDilated) {
  EXPECT_EQ(read("MIOpenDriver conv -z same -n 2"), read("ic3ih32oc32oh32kh3ph1"));
  EXPECT_EQ(read("MIOpenDriver conv -z valid -p 5 -q 5 -n 2"), read("ic3ih32oc32oh30kh3"));
  EXPECT_EQ(read("MIOpenDriver conv -z same -n 2 -l 2"), read("ic3ih32iw32oc32oh28ow30kh3kw3dh1dw0"));
}

TEST(Problem, NamesAFlagThatIsUnknownOrMakesItAnotherOperation) {
  EXPECT_EQ(read("MIOpenDriver conv -n 4 --batch 4"), "--batch is no flag of MIOpenDriver's conv");
  EXPECT_EQ(read("MIOpenDriver conv -N 4"), "-N is no flag of MIOpenDriver's conv");
  EXPECT_EQ(read("MIOpenDriver conv -n"), "-n has no value");
  EXPECT_EQ(read("MIOpenDriver conv -n 4 -n 4"), "-n is given twice");
  EXPECT_EQ(read("MIOpenDriver conv -n four"), "-n is \"four\", which is no number that fits an int");
  EXPECT_EQ(read("MIOpenDriver conv -n 5000000000"),
            "-n is \"5000000000\", which is no number that fits an int");
  EXPECT_EQ(read("MIOpenDriver conv -m trans"), "-m is \"trans\", which is another operation than conv");
  EXPECT_EQ(read("MIOpenDriver conv -r 1"), "-r is \"1\", but what lies outside the input is 0");
  EXPECT_EQ(read("MIOpenDriver pool -n 4"),
            "MIOpenDriver's operation is \"pool\"; conv, convfp16 and convbfp16 are read");
  EXPECT_EQ(read("cutlass_profiler --operation=Conv2d --height=4"),
            "--height is no argument of cutlass_profiler's convolutions");
  EXPECT_EQ(read("cutlass_profiler --operation=Conv2d -n 4"),
            "-n is no argument of cutlass_profiler, which begins with --");
  EXPECT_EQ(read("cutlass_profiler --operation=Conv2d --d=4"), "--d is \"4\", which Conv2d does not have");
  EXPECT_EQ(read("cutlass_profiler --operation=Conv2d --n=1,2"),
            "--n is \"1,2\", which is no number that fits an int");
  EXPECT_EQ(read("cutlass_profiler --operation=Gemm"),
            "--operation is \"Gemm\", which is neither Conv2d nor Conv3d");
  EXPECT_EQ(read("cutlass_profiler --n=1"), "--operation is missing; Conv2d and Conv3d are read");
  EXPECT_EQ(read("benchdnn --conv --size=4 ic4ih4oc4kh3"), "--size is no option of benchdnn's --conv");
  EXPECT_EQ(read("benchdnn --conv ic4ih4oc4kh3 ic4ih4oc4kh3"),
            "it has 2 problem lines; a command is read as one");
}

TEST(Problem, OfACommandIsJudgedAsALineIs) {
  EXPECT_EQ(read("MIOpenDriver conv -c 3 -g 2"), "ic is 3, which g = 2 does not divide");
  EXPECT_EQ(read("MIOpenDriver conv -y 0"), "kh is 0; it must be at least 1");
  EXPECT_EQ(read("MIOpenDriver conv -l 0"), "dh is -1; it must be at least 0");
  EXPECT_EQ(read("MIOpenDriver conv -H 2"), "oh would be 0: the kernel spans 3 and the padded input has 2");
}

/// What is written for a tool is read back as the same shape.
RC_GTEST_PROP(Problem, ThatIsWrittenForAToolIsReadBack, (std::uint64_t seed)) {
  Domain domain;
  domain.abi = find_abi("host_f16");
  const Case c = nth_case(cases(domain), seed, static_cast<std::int64_t>(seed % 101));
  int written = 0;
  for (const ToolLine& tool : other_tools(c.shape, DType::f16)) {
    if (tool.line.empty()) continue;
    ++written;
    const auto back = read_problem(tool.line);
    RC_ASSERT(std::holds_alternative<Problem>(back));
    RC_ASSERT(spec::to_line(std::get<Problem>(back).shape) == spec::to_line(c.shape));
    RC_ASSERT(std::get<Problem>(back).dtype == DType::f16);
  }
  RC_CLASSIFY(written == 3, "each tool can be told");
}

}  // namespace
}  // namespace wgradcheck::check
