#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

/// Reports in a folder that lives as long as a test.
class Shards : public testing::Test {
 protected:
  Shards() { std::filesystem::create_directories(folder_); }
  ~Shards() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  Json json(const std::string& name) const {
    std::ifstream in(file(name));
    return Json::parse(in);
  }
  Ran check(const std::string& words, const std::string& name) const {
    return run_program("check " + words + " --json " + file(name));
  }

  const std::string folder_ = testing::TempDir() + "wgradcheck_shards_" + std::to_string(getpid());
};

TEST_F(Shards, TogetherRunWhatOneRunDoes) {
  const std::string run = "mt7004_fp32_p --cases 1100 --seed 5";
  ASSERT_EQ(check(run, "whole").status, 0);
  std::string files;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const std::string name = std::string("part") + shard[0];
    ASSERT_EQ(check(run + " --shard " + shard, name).status, 0);
    files += " " + file(name);
  }
  const Ran merged = run_program("merge" + files + " --json " + file("merged"));
  EXPECT_EQ(merged.status, 0) << merged.text;
  EXPECT_THAT(merged.text, HasSubstr("PASS  No counterexample in 1,100 runs."));
  EXPECT_THAT(merged.text, HasSubstr("\n  limits   Shapes not run are not covered.\n"));
  Json whole = json("whole"), joined = json("merged");
  EXPECT_LT(json("part1").at("cases").at("run"), 400);
  for (Json* report : {&whole, &joined}) report->erase("seconds");
  EXPECT_EQ(joined, whole);
}

TEST_F(Shards, FindWhatOneRunFinds) {
  const std::string run = kernel("dilation_h_left_out.c") + " --cases 400 --seed 5";
  ASSERT_EQ(check(run + " --shard 1/2", "a").status, 1);
  ASSERT_EQ(check(run + " --shard 2/2", "b").status, 1);
  const Ran merged = run_program("merge " + file("b") + " " + file("a") + " --json " + file("merged"));
  EXPECT_EQ(merged.status, 1) << merged.text;
  EXPECT_THAT(merged.text, HasSubstr("FAIL  1 counterexample in "));
  EXPECT_EQ(json("merged").at("counterexamples"), json("a").at("counterexamples"));
}

TEST_F(Shards, OfAListAreItsShapes) {
  std::ofstream(file("list")) << "ic1ih4oc1kh3\nic2ih4oc2kh3\nic3ih4oc3kh3\n";
  const std::string run = "mt7004_fp32_p --seed 5 --shapes " + file("list");
  ASSERT_EQ(check(run + " --shard 1/2", "a").status, 0);
  ASSERT_EQ(check(run + " --shard 2/2", "b").status, 0);
  EXPECT_EQ(json("a").at("cases").at("run"), 2);
  EXPECT_EQ(json("b").at("cases").at("run"), 1);
  EXPECT_EQ(run_program("merge " + file("a") + " " + file("b")).status, 0);
}

TEST_F(Shards, OneThatIsMissingLeavesNoVerdict) {
  ASSERT_EQ(check("mt7004_fp32_p --cases 20 --seed 5 --shard 2/2", "b").status, 0);
  const Ran merged = run_program("merge " + file("b"));
  EXPECT_EQ(merged.status, 3) << merged.text;
  EXPECT_THAT(merged.text, HasSubstr("1 of 2 shards are missing, the first of them 1"));
  EXPECT_LE(merged.text.substr(1, merged.text.find('\n', 1)).size(), 80U) << merged.text;
}

TEST_F(Shards, WithAFieldThatIsNotAsInTheSchemaAreRefusedByIt) {
  ASSERT_EQ(check("mt7004_fp32_p --cases 20 --seed 5 --shard 1/1", "a").status, 0);
  const Json whole = json("a");
  for (const auto& [field, value] : std::vector<std::pair<const char*, Json>>{{"/cases", nullptr},
                                                                              {"/cases/run", -1},
                                                                              {"/cases/by_class/dense", "x"},
                                                                              {"/neglected", "x"},
                                                                              {"/counterexamples", 7},
                                                                              {"/seconds", Json::array()}}) {
    Json wrong = whole;
    wrong[Json::json_pointer(field)] = value;
    std::ofstream(file("wrong")) << wrong;
    const Ran ran = run_program("merge " + file("wrong"));
    EXPECT_EQ(ran.status, 2) << ran.text;
    std::string name = field + 1;
    std::ranges::replace(name, '/', '.');
    EXPECT_THAT(ran.text, HasSubstr("field " + name + " is " + value.dump())) << ran.text;
  }
}

TEST_F(Shards, ThatContradictThemselvesOrNestWithoutEndAreRefused) {
  ASSERT_EQ(check("mt7004_fp32_p --cases 20 --seed 5 --shard 1/1", "a").status, 0);
  Json wrong = json("a");
  wrong["verdict"] = "fail";
  std::ofstream(file("wrong")) << wrong;
  const Ran ran = run_program("merge " + file("wrong"));
  EXPECT_EQ(ran.status, 2) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("field verdict is \"fail\", which its counterexamples contradict"));
  std::ofstream(file("deep")) << "{\"tool\":" << std::string(100'000, '[');
  for (const char* command : {"merge ", "replay "}) {
    const Ran deep = run_program(command + file("deep"));
    EXPECT_EQ(deep.status, 2) << deep.text;
    EXPECT_THAT(deep.text, HasSubstr("it nests deeper than 100"));
  }
}

TEST_F(Shards, OfDifferentRunsAreRefusedByTheField) {
  const auto refusal = [&](const std::string& one, const std::string& other) {
    check(one, "a");
    check(other, "b");
    const Ran merged = run_program("merge " + file("a") + " " + file("b"));
    EXPECT_EQ(merged.status, 2) << merged.text;
    return merged.text;
  };
  const std::string run = "mt7004_fp32_p --cases 20 --seed 5";
  EXPECT_THAT(refusal(run + " --shard 1/2", run + "1 --shard 2/2"), HasSubstr("field seed is 51, and 5 in "));
  EXPECT_THAT(refusal(run + " --shard 1/2", "mt7004_fp32_s --cases 20 --seed 5 --shard 2/2"),
              HasSubstr("field kernel is "));
  EXPECT_THAT(refusal(run + " --shard 1/2", run + " --promise bias=none --shard 2/2"),
              HasSubstr("field promises is "));
  EXPECT_THAT(refusal(run + " --shard 1/2", run + " --where kh==1 --shard 2/2"),
              HasSubstr("field domain is "));
  EXPECT_THAT(refusal(run + " --shard 1/2", run + "0 --shard 2/2"), HasSubstr("field seed is 50"));
  EXPECT_THAT(refusal(run + " --shard 1/2", "mt7004_fp32_p --cases 30 --seed 5 --shard 2/2"),
              HasSubstr("field shard.of is "));
  EXPECT_THAT(refusal(run + " --shard 1/2", run + " --shard 2/3"),
              HasSubstr("field shard.count is 3, and 2 in "));
  EXPECT_THAT(refusal(run + " --shard 1/2", run + " --shard 1/2"),
              HasSubstr("field shard.index is 1, as in "));
  EXPECT_THAT(refusal(run + " --shard 1/2", run), HasSubstr("field shard names no shard"));
}

TEST_F(Shards, BadWordsAreRefused) {
  for (const char* shard : {"0/2", "3/2", "1", "1/0", "a/b", "1/2x", "-1/2"}) {
    const Ran ran = run_program(std::string("check mt7004_fp32_p --seed 1 --shard ") + shard);
    EXPECT_EQ(ran.status, 2) << shard;
    EXPECT_THAT(ran.text, HasSubstr("it must be i/n with i from 1 to n, as 3/8"));
  }
  EXPECT_THAT(run_program("check mt7004_fp32_p --shard 1/2").text, HasSubstr("needs --seed"));
  EXPECT_THAT(run_program("check mt7004_fp32_p --seed 1 --shard 1/2 --shape ic1ih1oc1kh1 --magnitude 3").text,
              HasSubstr("means nothing to a case that is given in full"));
  std::ofstream(file("other")) << "{\"tool\": \"gcc\"}";
  EXPECT_THAT(run_program("merge " + file("other")).text, HasSubstr("it is no report of check --json"));
  std::ofstream(file("newer")) << R"({"tool": "wgradcheck", "schema": 2})";
  EXPECT_THAT(run_program("merge " + file("newer")).text, HasSubstr("field schema is 2, outside 1 to 1"));
}

TEST(Explain, EveryPropertyAndNoOther) {
  for (const char* property : {"formula", "memory", "rules", "rounding", "nonfinite", "crash", "hang"}) {
    const Ran ran = run_program(std::string("check --explain ") + property);
    EXPECT_EQ(ran.status, 0);
    for (const char* part : {property, "\nmatters   ", "\nexample   ", "\ncauses    Usual: ", "\nfurther   "})
      EXPECT_THAT(ran.text, HasSubstr(part));
    std::istringstream lines(ran.text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
  for (const char* wrong : {"rondung", ""}) {
    const Ran ran = run_program(std::string("check --explain ") + wrong);
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.text,
                HasSubstr(": properties are formula, memory, rules, rounding, nonfinite, crash, hang"));
    EXPECT_THAT(ran.text, Not(HasSubstr(" :")));
  }
}

}  // namespace
}  // namespace wgradcheck
