#include <gtest/gtest.h>

#include "structure/shell.hpp"

namespace wgradcheck::tests {
namespace {

/// What the compiler says of an object of these types, each as the document's aliases name them.
Ran compile(const std::string& input, const std::string& weight_size, const std::string& grad_output,
            const std::string& grad_weight, const std::string& input_format = "NDC1HWC0") {
  const Scratch scratch;
  const auto alias = [](const std::string& name, const std::string& format, const std::string& type) {
    return "using " + name + " = ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, " +
           "ConvCommonApi::ConvFormat::" + format + ", " + type + ">;\n";
  };
  scratch.write("kernel.cpp", "#include \"lib/conv_backprop/conv3d_bp_filter_api.h\"\n" +
                                  alias("inputType", input_format, input) +
                                  alias("weightSizeType", "ND", weight_size) +
                                  alias("gradOutputType", "NDC1HWC0", grad_output) +
                                  alias("gradWeightType", "FRACTAL_Z_3D", grad_weight) +
                                  "ConvBackpropApi::Conv3DBackpropFilter<inputType, weightSizeType, "
                                  "gradOutputType, gradWeightType> gradWeight_;\n");
  return sh(WGRADCHECK_CXX " " WGRADCHECK_CONSUMER_FLAGS
                           " -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I " WGRADCHECK_SOURCE
                           "/targets/ascend/include " +
            scratch.word("kernel.cpp"));
}

TEST(AscendTypes, TheMixesOfTheDocumentsTableCompileAndNothingElseDoes) {
  EXPECT_EQ(compile("half", "int32_t", "half", "float").output, "");
  EXPECT_EQ(compile("bfloat16_t", "int32_t", "bfloat16_t", "float").output, "");
  const auto refused = [](const Ran& ran, const std::string& message) {
    EXPECT_NE(ran.status, 0) << message;
    EXPECT_NE(ran.output.find(message), std::string::npos) << ran.output;
  };
  refused(compile("float", "int32_t", "float", "float"),
          "Conv3DBackpropFilter: Input must be half or bfloat16_t");
  refused(compile("half", "int32_t", "bfloat16_t", "float"),
          "Conv3DBackpropFilter: GradOutput must have the type of Input");
  refused(compile("half", "int64_t", "half", "float"), "Conv3DBackpropFilter: WeightSize must be int32_t");
  refused(compile("half", "int32_t", "half", "half"), "Conv3DBackpropFilter: GradWeight must be float");
  refused(compile("half", "int32_t", "half", "float", "NCDHW"),
          "Conv3DBackpropFilter: Input must be NDC1HWC0 in GM");
}

}  // namespace
}  // namespace wgradcheck::tests
