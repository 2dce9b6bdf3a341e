#include "spec/problem_line.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/spec/shapes.hpp"

namespace wgradcheck::spec {
namespace {

Shape shape(std::string_view line) {
  const auto parsed = parse_line(line);
  if (const auto* refusal = std::get_if<Refusal>(&parsed)) {
    ADD_FAILURE() << line << ": " << refusal->reason;
    return {1, 1, 1, 1, kNoAxis, kNoAxis, kNoAxis};
  }
  return std::get<Shape>(parsed);
}

Refusal refusal(std::string_view line) {
  const auto parsed = parse_line(line);
  const auto* found = std::get_if<Refusal>(&parsed);
  return found ? *found : Refusal{"", "accepted as " + to_line(std::get<Shape>(parsed))};
}

TEST(ProblemLine, SquareFieldsServeBothAxes) {
  const Axis<std::int64_t> axis{4, 2, 3, 1, 1, 0};
  EXPECT_EQ(shape("g1mb4ic4ih4oc4oh2kh3"), (Shape{4, 1, 4, 4, kNoAxis, axis, axis}));
}

TEST(ProblemLine, BatchIsTwoAndGroupsOneWhenMissing) {
  EXPECT_EQ(shape("ic4ih4oc4kh3").batch, 2);
  EXPECT_EQ(shape("ic4ih4oc4kh3").groups, 1);
}

TEST(ProblemLine, DepthAloneMakesACube) {
  const Shape s = shape("ic1id5oc1kd3sd2pd1dd1");
  EXPECT_EQ(s.depth, (Axis<std::int64_t>{5, 2, 3, 2, 2, 1}));
  EXPECT_EQ(s.height, s.depth);
  EXPECT_EQ(s.width, s.depth);
}

TEST(ProblemLine, WidthAloneIsOneDimensional) {
  const Shape s = shape("ic1iw7oc1ow5kw3");
  EXPECT_EQ(s.depth, kNoAxis);
  EXPECT_EQ(s.height, kNoAxis);
  EXPECT_EQ(s.width.input, 7);
}

TEST(ProblemLine, AMissingAxisCopiesTheNextLargerOne) {
  EXPECT_EQ(shape("ic1id5oc1kd3ih4kh2").width, shape("ic1ih4kh2oc1").height);
  EXPECT_EQ(shape("ic1id5oc1kd3iw4kw2").height, shape("ic1id5oc1kd3").depth);
}

TEST(ProblemLine, AGivenAxisDoesNotInheritStepsFromAnother) {
  EXPECT_EQ(shape("ic1ih9oc1kh3sh2dh1ph1iw9kw3").width, (Axis<std::int64_t>{9, 7, 3, 1, 1, 0}));
}

TEST(ProblemLine, ComputesAMissingOutputFromThePads) {
  EXPECT_EQ(shape("ic3ih224oc64kh7sh2ph3").height.output, 112);
  EXPECT_EQ(shape("ic3ih5oc64kh2sh2").height.output, 2);
}

TEST(ProblemLine, InfersAMissingPadFromTheOutputRoundedTowardsZero) {
  EXPECT_EQ(shape("ic1ih28oc1oh28kh7").height.pad_before, 3);
  EXPECT_EQ(shape("ic1ih4oc1oh4kh2").height.pad_before, 0);
  EXPECT_EQ(shape("ic1ih5oc1oh2kh2sh2").height.pad_before, 0);  // both pads together are -1
}

TEST(ProblemLine, KeepsARightPaddingThatIsNegative) {
  EXPECT_EQ(pad_after(shape("ic1ih8oc1oh2kh3sh2ph0").height), -3);
}

TEST(ProblemLine, UnderscoresAndTheNameCarryNoMeaning) {
  const Shape plain = shape("g2mb1ic4ih4oc4oh4kh3ph1");
  EXPECT_EQ(shape("_g2__mb1_ic4ih4_oc4oh4_kh3_ph1_n\"net:conv*3\""), plain);
  EXPECT_EQ(shape("g2mb1ic4ih4oc4oh4kh3ph1nnet/ic9!"), plain);
}

TEST(ProblemLine, RefusesWithTheFieldAndItsValue) {
  const std::vector<std::pair<const char*, Refusal>> lines{
      {"", {"ic", "ic is missing"}},
      {"ic1oc1", {"ih", "ih is missing"}},
      {"ic1oc1ih4", {"kh", "kh is missing"}},
      {"ic1oc1kh3oh2", {"ih", "ih is missing"}},
      {"ic1oc1ih4kh3sw2", {"iw", "iw is missing"}},
      {"ic1ih4oc1kh3ic1", {"ic", "ic is given twice"}},
      {"ic1ih4oc1kh3zz9", {"zz", "unknown field 'zz' at character 13"}},
      {"ic1ih4;oc1", {";", "';' at character 7 starts no field"}},
      {"ic1 ih4oc1", {" ", "' ' at character 4 starts no field"}},
      {"icih4oc1kh3", {"icih", "unknown field 'icih' at character 1"}},
      {"ic_4ih4oc1kh3", {"ic", "ic at character 1 has no number"}},
      {"ic-ih4oc1kh3", {"ic", "ic at character 1 has no number"}},
      {"IC4ih4oc1kh3", {"IC", "unknown field 'IC' at character 1"}},
      {"ic1ih-4oc1kh3", {"ih", "ih is -4; it must be at least 1"}},
      {"ic1ih0oc1kh3", {"ih", "ih is 0; it must be at least 1"}},
      {"mb0ic1ih4oc1kh3", {"mb", "mb is 0; it must be at least 1"}},
      {"ic1ih4oc1kh3sh0", {"sh", "sh is 0; it must be at least 1"}},
      {"ic1ih4oc1kh3dh-1", {"dh", "dh is -1; it must be at least 0"}},
      {"ic1ih4oc1oh2kh3ph-1", {"ph", "ph is -1; it must be at least 0"}},
      {"g2ic3ih4oc2kh3", {"ic", "ic is 3, which g = 2 does not divide"}},
      {"g2ic2ih4oc3kh3", {"oc", "oc is 3, which g = 2 does not divide"}},
      {"ic1ih2oc1kh3", {"oh", "oh would be 0: the kernel spans 3 and the padded input has 2"}},
      {"ic1ih8oc1oh1kh3", {"ph", "ph would be -2 for oh = 1; it must be at least 0"}},
      {"ic9223372036854775808ih4oc1kh3", {"ic", "ic is 9223372036854775808, which does not fit 62 bits"}},
      {"ic4611686018427387904ih4oc1kh3", {"ic", "ic is 4611686018427387904, which does not fit 62 bits"}},
      {"ic4611686018427387903ih4oc1kh3", {"ih", "x needs more elements than 2^62"}},
      {"mb1ic1ih4611686018427387903iw1oc1kh1kw1ph4611686018427387902",
       {"oh", "the positions of axis h exceed 2^62"}}};
  for (const auto& [line, expected] : lines) {
    EXPECT_EQ(refusal(line).reason, expected.reason) << line;
    EXPECT_EQ(refusal(line).field, expected.field) << line;
  }
}

TEST(ProblemLine, PrintsNoFieldThatFollowsFromTheOthers) {
  for (const char* line :
       {"ic4ih4oc4oh2kh3", "g2mb1ic4ih4oc4oh4kh3", "ic4ih5iw4oc4oh3ow2kh3kw3", "ic1iw7oc1ow5kw3",
        "ic1id5oc1od3kd3", "ic1id5ih4iw4oc1od3oh2ow2kd3kh3kw3", "ic3ih224oc64oh112kh7sh2ph3",
        "ic3ih9iw9oc1oh4ow7kh3kw3sh2sw1", "ic1ih9oc1oh5kh3dh1", "ic1ih1oc1oh1kh1"}) {
    const std::string printed = to_line(shape(line));
    EXPECT_LE(printed.size(), std::string_view(line).size());
    EXPECT_EQ(shape(printed), shape(line)) << line << " printed as " << printed;
  }
  EXPECT_EQ(to_line(shape("g1mb2ic4ih4iw4oc4oh4ow4kh3kw3sh1sw1ph1pw1dh0dw0")), "ic4ih4oc4oh4kh3");
  EXPECT_EQ(to_line(shape("mb1ic1id2ih1iw1oc1kd2kh1kw1sd2pd1")), "mb1ic1id2ih1iw1oc1od2oh1ow1kd2kh1kw1sd2");
}

RC_GTEST_PROP(ProblemLine, WhatIsPrintedReadsBackAsTheSameShape, ()) {
  const Shape s = *any_shape(9);
  const auto parsed = parse_line(to_line(s));
  RC_ASSERT(std::holds_alternative<Shape>(parsed));
  RC_ASSERT(std::get<Shape>(parsed) == s);
}

RC_GTEST_PROP(ProblemLine, NoFieldOfAPrintedLineCanBeLeftOut, ()) {
  const std::string line = to_line(*any_shape(9));
  const auto whole = parse_line(line);
  const auto is_letter = [](char c) { return c >= 'a'; };
  for (std::size_t start = 0; start < line.size();) {
    std::size_t end = start;
    while (end < line.size() && is_letter(line[end])) ++end;
    while (end < line.size() && !is_letter(line[end])) ++end;
    const std::string field = line.substr(start, end - start);
    const auto shorter = parse_line(line.substr(0, start) + line.substr(end));
    if (field[0] != 'o') RC_ASSERT(shorter != whole);
    start = end;
  }
}

RC_GTEST_PROP(ProblemLine, AnyTextIsReadOrRefusedWithAFieldAndASentence, ()) {
  const auto token = rc::gen::elementOf(std::vector<std::string>{"ic",
                                                                 "oc",
                                                                 "ih",
                                                                 "oh",
                                                                 "kh",
                                                                 "iw",
                                                                 "kw",
                                                                 "sh",
                                                                 "dh",
                                                                 "ph",
                                                                 "g",
                                                                 "mb",
                                                                 "id",
                                                                 "kd",
                                                                 "_",
                                                                 "n",
                                                                 "-",
                                                                 "0",
                                                                 "1",
                                                                 "3",
                                                                 "7",
                                                                 "16",
                                                                 "4611686018427387903",
                                                                 "99999999999999999999",
                                                                 "x",
                                                                 " ",
                                                                 "\"",
                                                                 "*"});
  const auto tokens = *rc::gen::container<std::vector<std::string>>(token);
  std::string line;
  for (const std::string& t : tokens) line += t;
  const auto parsed = parse_line(line);
  if (const auto* s = std::get_if<Shape>(&parsed)) {
    RC_ASSERT(!refuse(*s));
    RC_ASSERT(std::get<Shape>(parse_line(to_line(*s))) == *s);
  } else {
    RC_ASSERT(!std::get<Refusal>(parsed).field.empty());
    RC_ASSERT(!std::get<Refusal>(parsed).reason.empty());
  }
}

/// The problem in a line of a benchdnn batch file, or nothing: options stand before it, a comment after it.
std::string problem_in(std::string line) {
  line = line.substr(0, line.find('#'));
  if (const auto space = line.find_last_not_of(" \t\r"); space != std::string::npos) line.resize(space + 1);
  line = line.substr(line.find_last_of(" \t") + 1);
  return line.find_first_not_of(" \t") == std::string::npos ? "" : line;
}

TEST(ProblemLine, ReadsEveryShapeThatBenchdnnShips) {
  const std::filesystem::path folder = std::filesystem::path(WGRADCHECK_SHARED) / "cases/benchdnn";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  int lines = 0, negative = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (!file.path().filename().string().starts_with("shapes_")) continue;
    std::ifstream in(file.path());
    for (std::string line; std::getline(in, line);) {
      line = problem_in(line);
      if (line.empty()) continue;
      const Shape s = shape(line);
      ASSERT_EQ(shape(to_line(s)), s) << line << " in " << file.path();
      ++lines;
      negative += pad_after(s.height) < 0 || pad_after(s.width) < 0 || pad_after(s.depth) < 0;
    }
  }
  EXPECT_GT(lines, 30000);
  EXPECT_GT(negative, lines / 10);
  RecordProperty("lines", lines);
  RecordProperty("negative", negative);
}

}  // namespace
}  // namespace wgradcheck::spec
