#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;

TEST(Against, TheSameKernelLeavesTheSameBitsInEveryClass) {
  const std::string file = temporary("same.json");
  const Ran ran = run_program("check " + kernel("right.c") + " --cases 600 --against " + kernel("right.c") +
                              " --json " + file);
  EXPECT_EQ(ran.status, 0) << ran.text;
  const auto json = json_of(file);
  EXPECT_EQ(json["against"]["all"]["same_bits"], 600);
  const auto& compared = json["against"]["by_class"];
  ASSERT_EQ(compared.size(), json["cases"]["by_class"].size());
  for (const auto& [name, runs] : json["cases"]["by_class"].items()) {
    EXPECT_GT(runs, 0) << name;
    EXPECT_EQ(compared[name]["runs"], runs) << name;
    EXPECT_EQ(compared[name]["same_bits"], runs) << name;
  }
  EXPECT_TRUE(json["against"]["first"].is_null());
}

TEST(Against, AnotherOrderOfTheSumIsWithinTheBound) {
  const std::string file = temporary("order.json"),
                    source =
                        file_of("reversed.c", "#define REVERSED\n#include \"" + kernel("summed.c") + "\"\n");
  const Ran ran =
      run_program("check " + kernel("right.c") + " --cases 600 --against " + source + " --json " + file);
  EXPECT_EQ(ran.status, 0) << ran.text;
  const auto json = json_of(file)["against"];
  EXPECT_GT(json["all"]["within_bound"], 20);
  EXPECT_EQ(json["all"]["beyond"], 0);
  EXPECT_EQ(json["first"]["kind"], "within");
  EXPECT_NE(json["first"]["now"], json["first"]["before"]);
}

TEST(Against, AnOldKernelThatIsWrongDiffersBeyondThoughThisOnePasses) {
  const std::string file = temporary("beyond.json"), junit = temporary("beyond.xml");
  // A seed of whose differences the first is on finite data, of which the exact value is told.
  const Ran ran = run_program("check " + kernel("right.c") + " --cases 600 --seed 1 --against " +
                              kernel("dilation_h_left_out.c") + " --json " + file + " --junit " + junit);
  EXPECT_EQ(ran.status, 1) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("DIFFERS  "));
  EXPECT_THAT(ran.text, HasSubstr("PASS  No counterexample in 600 runs."));
  const auto json = json_of(file)["against"];
  EXPECT_EQ(json["now_outside"], 0);
  EXPECT_EQ(json["before_outside"], json["all"]["beyond"]);
  EXPECT_EQ(json["by_class"]["dilated"]["beyond"], json["all"]["beyond"]);
  EXPECT_EQ(json["by_class"]["pointwise"]["beyond"], 0);
  EXPECT_EQ(json["first"]["exact"], json["first"]["now"]);
  EXPECT_THAT(text_of(junit), HasSubstr("<failure type=\"against\""));

  std::string command = json["first"]["replay"];
  command.erase(0, command.find(" check ") + 1);
  const Ran again = run_program(command);
  EXPECT_EQ(again.status, 1) << again.text;
  EXPECT_THAT(again.text, HasSubstr("DIFFERS  4 of 4 runs differ"));
}

TEST(Against, GivenShapesAreComparedToo) {
  const std::string file = temporary("shapes.json");
  const Ran ran =
      run_program("check plain_fp32_p --shape ic3ih5oc4oh5kh3ph1 --shape ic3ih3oc2oh3kh1 --against " +
                  kernel("right.c") + " --json " + file);
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_EQ(json_of(file)["against"]["all"]["runs"], 2);
}

}  // namespace
}  // namespace wgradcheck
