#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;

TEST(HostLibrary, KeepsEveryPromiseInEachType) {
  for (const char* name : {"cpu_f32", "cpu_f16", "cpu_bf16"}) {
    const Ran ran =
        run_program(std::string("check ") + name +
                    " --cases 1500 --promise align=1 --promise read_slack=0 --promise repeat=bits "
                    "--promise nonfinite_padding=skip --promise subnormals=keep --promise refuses=yes");
    EXPECT_EQ(ran.status, 0) << ran.text;
    EXPECT_THAT(ran.text, HasSubstr("No counterexample in 1,500 runs")) << name;
  }
}

TEST(HostLibrary, IsRightOnLargeLayersInSeveralThreads) {
  const std::string shapes = file_of("layers",
                                     "mb2ic64ih56oc64kh3ph1 mb2ic3ih112oc64kh7sh2ph3\n"
                                     "g32mb2ic128ih28oc128kh3ph1 g32mb1ic512ih14oc512kh3ph1\n"
                                     "mb2ic256ih28oc512kh1sh2 g96mb2ic96ih56oc96kh5ph2\n"
                                     "mb1ic32id16ih28iw28oc32kd3kh3kw3pd1ph1pw1\n");
  for (const char* threads : {"1", "2", "3"}) {
    const Ran ran = run_program("check cpu_f32 --cases 0 --shapes " + shapes + " --threads " + threads);
    EXPECT_EQ(ran.status, 0) << ran.text;
  }
}

TEST(Bench, MeasuresAShapeThatIsGivenAndOneOfAFile) {
  const std::string shapes = file_of("shapes", "mb1ic16ih9oc16kh3ph1\n");
  const std::string json = temporary("bench.json");
  const Ran ran = run_program("bench ic3ih5oc4kh3 --shapes " + shapes + " --json " + json);
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("mb1ic16ih9oc16oh9kh3"));
  std::istringstream lines(ran.text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  auto report = json_of(json);
  ASSERT_EQ(report["shapes"].size(), 2U);
  EXPECT_EQ(report["shapes"][0]["shape"], "ic3ih5oc4oh3kh3");
  report["shapes"].erase(0);
  EXPECT_GT(report["fma_peak_gflops"].get<double>(), 0);
  EXPECT_GT(report["read_gbytes"].get<double>(), 0);
  const auto& first = report["shapes"][0];
  // 2 * N*OH*OW*OC*(IC/g)*KH*KW, padding counted
  constexpr double kOperations = 2.0 * 9 * 9 * 16 * 16 * 9;
  EXPECT_NEAR(first["cold_gflops"].get<double>() * first["cold_seconds"].get<double>() * 1e9, kOperations, 1);
  const auto& onednn = first["onednn"];
  if (std::filesystem::exists(WGRADCHECK_BUILD "/libwgradcheck_onednn.so")) {
    EXPECT_GT(onednn["cold_seconds"], 0);
    EXPECT_GT(onednn["ratio_cold"], 0);
    EXPECT_TRUE(onednn["same_bits"]) << onednn;
  } else {
    EXPECT_EQ(onednn["reason"], "not built: libdnnl-dev was not installed");
  }
}

TEST(Bench, RefusesWhatItCannotMeasure) {
  const std::string bad = file_of("bad", "ic4ih4oc4kh3 ic4ih4oc0kh3\n"),
                    none = file_of("none", "# nothing\n");
  const std::vector<std::pair<std::string, std::string>> cases{{"bench --shapes " + bad, "oc"},
                                                               {"bench --shapes " + none, "lists no shape"},
                                                               {"bench --shapes /nowhere", "/nowhere"},
                                                               {"bench ic4ih4oc0kh3", "oc"},
                                                               {"bench --dtype f64", "f64"},
                                                               {"bench --threads 0", "--threads"}};
  for (const auto& [words, said] : cases) {
    const Ran ran = run_program(words);
    EXPECT_EQ(ran.status, 2) << words;
    EXPECT_THAT(ran.text, HasSubstr(said)) << words;
  }
}

}  // namespace
}  // namespace wgradcheck
