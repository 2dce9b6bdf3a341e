#include "check/report/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "check/report/report.hpp"
#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using Json = nlohmann::ordered_json;

Json read(const std::string& path) {
  std::ifstream in(path);
  return Json::parse(in);
}

const std::string kSchema = std::string(WGRADCHECK_SOURCE) + "/docs/report.schema.json";

/// A number of a text that is the same everywhere (FNV-1a).
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

TEST(ReportSchema, DoesNotChangeWithoutItsNumber) {
  // One row a number, the last for what is written today. A row that was published is never changed.
  const std::map<int, std::uint64_t> known{{1, 3702941040868500937U}};
  const Json schema = read(kSchema);
  EXPECT_EQ(schema.at("properties").at("schema").at("const"), check::kReportSchema);
  ASSERT_TRUE(known.contains(check::kReportSchema));
  EXPECT_EQ(known.rbegin()->first, check::kReportSchema);
  EXPECT_EQ(hash_of(schema.dump()), known.at(check::kReportSchema))
      << "docs/report.schema.json has changed: give kReportSchema the next number and add a row";
}

class Reports : public testing::TestWithParam<const char*> {};

TEST_P(Reports, HaveTheFieldsOfTheSchemaAndNoOthers) {
  const std::string file = testing::TempDir() + "wgradcheck_schema_" + std::to_string(getpid());
  const std::string folder = kernel("");
  std::string words = GetParam();
  for (std::size_t at = 0; (at = words.find("KERNELS/")) != std::string::npos;) words.replace(at, 8, folder);
  const Ran ran = run_program("check " + words + " --json " + file);
  ASSERT_TRUE(ran.status == 0 || ran.status == 1) << ran.text;
  Json report = read(file);
  std::filesystem::remove(file);
  EXPECT_THAT(check::schema_faults(report), testing::IsEmpty());

  report["more"] = 1;
  EXPECT_THAT(check::schema_faults(report), testing::ElementsAre("more is not in the schema"));
  report.erase("more");
  report["cases"]["run"] = "many";
  EXPECT_THAT(check::schema_faults(report), testing::ElementsAre("cases.run is \"many\", not \"integer\""));
  report["cases"]["run"] = -1;
  EXPECT_THAT(check::schema_faults(report), testing::ElementsAre("cases.run is -1, under 0"));
  report["cases"].erase("run");
  EXPECT_THAT(check::schema_faults(report), testing::ElementsAre("cases.run is missing"));
}

INSTANTIATE_TEST_SUITE_P(
    Check, Reports,
    testing::Values("mt7004_fp32_p --cases 50 --seed 1", "mt7004_fp32_p --cases 50 --seed 1 --shard 1/2",
                    "cpu_f32 --cases 50 --seed 1", "KERNELS/dilation_h_left_out.c --cases 200 --seed 1",
                    "KERNELS/dilation_h_left_out.c --against KERNELS/right.c --cases 100 "
                    "--seed 1"));

}  // namespace
}  // namespace wgradcheck
