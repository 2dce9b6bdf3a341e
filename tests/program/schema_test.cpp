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

using Json = nlohmann::json;

Json read(const std::string& path) {
  std::ifstream in(path);
  return Json::parse(in);
}

bool is_type(const Json& value, const std::string& name) {
  return name == "object"    ? value.is_object()
         : name == "array"   ? value.is_array()
         : name == "string"  ? value.is_string()
         : name == "integer" ? value.is_number_integer()
         : name == "number"  ? value.is_number()
         : name == "null"    ? value.is_null()
                             : false;
}

/// What of JSON Schema docs/report.schema.json uses: every fault of a value, by its place.
class Schema {
 public:
  explicit Schema(Json schema) : root_(std::move(schema)) {}

  std::vector<std::string> faults(const Json& value) const {
    std::vector<std::string> found;
    look(root_, value, "", found);
    return found;
  }

 private:
  using Faults = std::vector<std::string>;

  void look(const Json& schema, const Json& value, const std::string& at, Faults& found) const {
    if (schema.contains("$ref"))
      return look(root_.at(Json::json_pointer(schema.at("$ref").get<std::string>().substr(1))), value, at,
                  found);
    if (schema.contains("const") && schema.at("const") != value) found.push_back(at + " is " + value.dump());
    if (schema.contains("enum") && std::ranges::find(schema.at("enum"), value) == schema.at("enum").end())
      found.push_back(at + " is " + value.dump());
    if (schema.contains("type")) {
      const Json& type = schema.at("type");
      const bool fits = type.is_string()
                            ? is_type(value, type)
                            : std::ranges::any_of(type, [&](const Json& t) { return is_type(value, t); });
      if (!fits) found.push_back(at + " is " + value.dump() + ", not " + type.dump());
    }
    if (value.is_object()) look_inside(schema, value, at, found);
    if (value.is_array() && schema.contains("items"))
      for (const Json& one : value) look(schema.at("items"), one, at + "[]", found);
  }

  void look_inside(const Json& schema, const Json& value, const std::string& at, Faults& found) const {
    for (const Json& name : schema.value("required", Json::array()))
      if (!value.contains(name)) found.push_back(at + "." + name.get<std::string>() + " is missing");
    const Json fields = schema.value("properties", Json::object());
    const Json others = schema.value("additionalProperties", Json(true));
    for (const auto& [name, one] : value.items())
      if (fields.contains(name))
        look(fields.at(name), one, at + "." + name, found);
      else if (others == false)
        found.push_back(at + "." + name + " is not in the schema");
      else if (others.is_object())
        look(others, one, at + "." + name, found);
  }

  Json root_;
};

const std::string kSchema = std::string(WGRADCHECK_SOURCE) + "/docs/report.schema.json";

/// A number of a text that is the same everywhere (FNV-1a).
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

TEST(ReportSchema, DoesNotChangeWithoutItsNumber) {
  // One row a number, the last for what is written today. A row that was published is never changed.
  const std::map<int, std::uint64_t> known{{1, 2057571503609830326U}};
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
  const Schema schema(read(kSchema));
  EXPECT_THAT(schema.faults(report), testing::IsEmpty());

  report["more"] = 1;
  EXPECT_THAT(schema.faults(report), testing::ElementsAre(".more is not in the schema"));
  report.erase("more");
  report["cases"]["run"] = "many";
  EXPECT_THAT(schema.faults(report), testing::ElementsAre(".cases.run is \"many\", not \"integer\""));
  report["cases"].erase("run");
  EXPECT_THAT(schema.faults(report), testing::ElementsAre(".cases.run is missing"));
}

INSTANTIATE_TEST_SUITE_P(
    Check, Reports,
    testing::Values("mt7004_fp32_p --cases 50 --seed 1", "mt7004_fp32_p --cases 50 --seed 1 --shard 1/2",
                    "cpu_f32 --cases 50 --seed 1", "KERNELS/dilation_h_left_out.c --cases 200 --seed 1",
                    "KERNELS/dilation_h_left_out.c --against KERNELS/right.c --cases 100 "
                    "--seed 1"));

}  // namespace
}  // namespace wgradcheck
