#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/program/runners.hpp"

namespace wgradcheck {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// A folder of vectors that vanishes.
class Vectors : public testing::Test {
 protected:
  Ran export_with(const std::string& options) {
    return run_program("vectors export " + folder_ + " --seed 5 " + options);
  }
  Ran verify(const std::string& options = "") {
    return run_program("vectors verify " + folder_ + " " + options);
  }
  /// The board: runs a kernel over the folders of a round that have no answer.
  void run_board(int round, const std::string& before = "") {
    const std::string command =
        before + " " + folder_kernel() + " " + folder_ + "/round" + std::to_string(round) + "/*";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  bool has_round(int round) const { return fs::exists(folder_ + "/round" + std::to_string(round)); }
  std::vector<fs::path> cases(int round = 1) const {
    std::vector<fs::path> all;
    for (const auto& one : fs::directory_iterator(folder_ + "/round" + std::to_string(round)))
      all.push_back(one);
    std::ranges::sort(all);
    return all;
  }
  void alter_manifest(const std::string& field, const nlohmann::json& value) {
    auto json = json_of(folder_ + "/manifest.json");
    json[field] = value;
    std::ofstream(folder_ + "/manifest.json") << json;
  }

  check::Scratch scratch_;
  std::string folder_ = scratch_.path() + "/vectors";
};

TEST_F(Vectors, OfARightKernelPassAndSayWhatWasNotSeen) {
  ASSERT_EQ(export_with("--cases 120").status, 0);
  EXPECT_EQ(cases().size(), 120U);
  run_board(1);
  const std::string report = scratch_.path() + "/v.json";
  const Ran ran = verify("--json " + report);
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_EQ(json_of(report)["further"]["folder"], "");
  EXPECT_THAT(ran.text, HasSubstr("No counterexample in 120 runs."));
  EXPECT_THAT(ran.text, HasSubstr("unseen   memory"));
  EXPECT_THAT(ran.text, HasSubstr("unseen   rules: whether the same call gives the same bits again"));
  EXPECT_THAT(ran.text, HasSubstr("./wgradcheck vectors verify " + folder_));
  EXPECT_FALSE(has_round(2));
}

TEST_F(Vectors, OfAWrongKernelShrinkRoundByRoundToTheLeastCaseWithItsDiagnosis) {
  ASSERT_EQ(export_with("").status, 0);
  int rounds = 1;
  std::string text;
  for (; has_round(rounds) && rounds < 15; ++rounds) {
    run_board(rounds, "WRONG=dilation_h");
    const Ran ran = verify();
    EXPECT_EQ(ran.status, 1) << ran.text;
    text = ran.text;
    EXPECT_EQ(has_round(rounds + 1), text.find("run them") != std::string::npos);
  }
  EXPECT_LE(rounds, 8);
  EXPECT_THAT(text, HasSubstr("shape    mb1ic1ih2iw1oc1oh1ow1kh2kw1dh1\n"));
  EXPECT_THAT(text, HasSubstr("(dilation_h_ignored;"));
  EXPECT_THAT(text, HasSubstr("extra   dy[n0][h0][w0][c0] * x[n0][h1][w0][c0]"));
  EXPECT_THAT(text, HasSubstr("It fails only where dh>0 && kh>1"));
  EXPECT_THAT(text, Not(HasSubstr("run them")));
  // What is answered stays answered.
  EXPECT_EQ(verify().text, text);
}

TEST_F(Vectors, WithoutAllAnswersDoNotPassAndTheMissingAreCounted) {
  ASSERT_EQ(export_with("--cases 30").status, 0);
  EXPECT_EQ(verify().status, 3);
  EXPECT_THAT(verify().text, HasSubstr("30 of 30 cases have no answer."));
  run_board(1);
  for (int i = 0; i < 4; ++i) fs::remove(cases()[static_cast<std::size_t>(i)] / "dw.npy");
  const Ran ran = verify();
  EXPECT_EQ(ran.status, 3) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("NO VERDICT  4 of 30 cases have no answer."));
  EXPECT_THAT(ran.text, HasSubstr("skipped  4: no dw.npy in its folder"));
  EXPECT_FALSE(has_round(2));
}

TEST_F(Vectors, WithAFolderGoneGetItAgain) {
  ASSERT_EQ(export_with("--cases 30").status, 0);
  run_board(1);
  const std::string name = cases()[3].filename();
  fs::remove_all(cases()[3]);
  EXPECT_EQ(verify().status, 3);
  ASSERT_EQ(cases(2).size(), 1U);
  EXPECT_EQ(cases(2)[0].filename(), name);
  run_board(2);
  EXPECT_EQ(verify().status, 0);
}

TEST_F(Vectors, WithAnAlteredInputAreRefused) {
  ASSERT_EQ(export_with("--cases 10").status, 0);
  run_board(1);
  const fs::path x = cases()[2] / "x.npy";
  std::fstream file(x, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-1, std::ios::end);
  file.put('\x7f');
  file.close();
  const Ran ran = verify();
  EXPECT_EQ(ran.status, 2) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr(x.string() + " was altered"));
  EXPECT_FALSE(fs::exists(folder_ + "/round2.part"));
}

TEST_F(Vectors, WithABadAnswerAreAFailureThatSaysWhy) {
  ASSERT_EQ(export_with("--cases 40").status, 0);
  run_board(1, "MISBEHAVE=type");
  const Ran ran = verify();
  EXPECT_EQ(ran.status, 1) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("FAIL  rules: dw.npy holds elements of type <i4, not <f4"));
}

TEST_F(Vectors, KeepWithinTheirBudgetAndNameWhatIsLeftOut) {
  const std::string shapes =
      scratch_.write("shapes", "mb1ic8ih8oc8kh3ph1\nmb2ic64ih56oc64oh56kh3ph1\nmb1ic16ih8oc8oh8kh3ph1\n");
  const Ran ran = export_with("--shapes " + shapes + " --budget 100000");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("2 cases in"));
  EXPECT_THAT(ran.text, HasSubstr("1 case is left out"));
  EXPECT_THAT(ran.text, HasSubstr("\n  ic64ih56oc64oh56kh3\n"));
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ + "/round1"))
    if (entry.is_regular_file()) bytes += entry.file_size();
  EXPECT_LE(bytes, 100'000U);
  run_board(1);
  const Ran verified = verify();
  EXPECT_EQ(verified.status, 0) << verified.text;
  EXPECT_THAT(verified.text, HasSubstr("skipped  1: it takes more than"));
  EXPECT_FALSE(has_round(2));
}

TEST_F(Vectors, ThatCannotBeWrittenLeaveNothingBehind) {
  const Ran tight = export_with("--budget 10");
  EXPECT_EQ(tight.status, 2) << tight.text;
  EXPECT_THAT(tight.text, HasSubstr("--budget 10"));
  EXPECT_FALSE(fs::exists(folder_));
  fs::create_directory(folder_);
  std::ofstream(folder_ + "/mine") << "mine";
  const Ran full = export_with("");
  EXPECT_EQ(full.status, 2) << full.text;
  EXPECT_THAT(full.text, HasSubstr("exists and is no empty folder"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
  EXPECT_THAT(verify().text, HasSubstr("holds no vectors"));
  const Ran none = run_program("vectors export /dev/null/x");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.text, HasSubstr("/dev/null/x"));
  EXPECT_EQ(run_program("vectors").status, 2);
}

TEST_F(Vectors, ThatAreThereAlreadyAreNotTouched) {
  ASSERT_EQ(export_with("--cases 5").status, 0);
  const auto there = cases();
  const std::string manifest = text_of(folder_ + "/manifest.json");
  const Ran again = export_with("--cases 7");
  EXPECT_EQ(again.status, 2) << again.text;
  EXPECT_THAT(again.text, HasSubstr("exists and is no empty folder"));
  EXPECT_EQ(text_of(folder_ + "/manifest.json"), manifest);
  ASSERT_TRUE(has_round(1));
  EXPECT_EQ(cases(), there);
}

TEST_F(Vectors, NameNoFileOfTheMachineThatTheyComeFrom) {
  const std::string promises = scratch_.write("kept", "acc=f32\nrepeat=bits\n");
  ASSERT_EQ(export_with("--cases 5 --promises " + promises + " --promise acc=f64").status, 0);
  EXPECT_THAT(text_of(folder_ + "/manifest.json"), Not(HasSubstr(promises)));
  fs::remove(promises);
  run_board(1);
  const Ran ran = verify();
  EXPECT_THAT(ran.text, HasSubstr("promises acc=f64 ")) << ran.status;
  EXPECT_THAT(ran.text, HasSubstr("repeat=bits"));
}

TEST_F(Vectors, AreNotJudgedBeforeTheirReportsCanBeWritten) {
  ASSERT_EQ(export_with("--cases 5").status, 0);
  for (const auto& [option, says] :
       {std::pair{"--save " + folder_ + "/saved", "--save means nothing to vectors"},
        {"--json /no/such/folder/v", "cannot write /no/such/folder/v"}}) {
    const Ran ran = verify(option);
    EXPECT_EQ(ran.status, 2) << ran.text;
    EXPECT_THAT(ran.text, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(ran.text, '\n'), 1) << ran.text;
  }
  EXPECT_FALSE(fs::exists(folder_ + "/saved"));
}

TEST_F(Vectors, WithAManifestThatWasAlteredAreRefusedByTheField) {
  ASSERT_EQ(export_with("--cases 3").status, 0);
  const std::string text = text_of(folder_ + "/manifest.json");
  const auto refusal = [&](const std::string& field, const nlohmann::json& value) {
    alter_manifest(field, value);
    const Ran ran = verify();
    EXPECT_EQ(ran.status, 2) << ran.text;
    std::ofstream(folder_ + "/manifest.json") << text;
    return ran.text;
  };
  EXPECT_THAT(refusal("options", {"--shapes", "/etc/passwd"}), HasSubstr("field options"));
  EXPECT_THAT(refusal("options", {"--promises", "/etc/passwd"}),
              HasSubstr("field options must not name a file of promises"));
  EXPECT_THAT(refusal("tool", "other"), HasSubstr("field tool is not wgradcheck"));
  EXPECT_THAT(refusal("options", {"--json", "/tmp/x"}), HasSubstr("field options is refused"));
  EXPECT_THAT(refusal("options", {"--abi", "what"}), HasSubstr("--abi what is not a calling convention"));
  EXPECT_THAT(refusal("options", {"--help"}), HasSubstr("field options is refused"));
  EXPECT_THAT(refusal("options", 3), HasSubstr("field options has the wrong type"));
  EXPECT_THAT(refusal("shapes", {"../../etc"}), HasSubstr("--shape ../../etc"));
  EXPECT_THAT(refusal("seed", "x"), HasSubstr("field seed is no whole number of at least 0"));
  EXPECT_THAT(refusal("largest", -1), HasSubstr("field largest is -1"));
  EXPECT_THAT(refusal("format", 2), HasSubstr("field format is 2"));
  EXPECT_THAT(refusal("version", "0.0.0"), HasSubstr("field version is 0.0.0"));
  EXPECT_THAT(refusal("round", "/etc"), HasSubstr("field round is unknown"));
  std::ofstream(folder_ + "/manifest.json") << "{";
  EXPECT_THAT(verify().text, HasSubstr("holds no JSON object"));
}

TEST_F(Vectors, HaveTheSameReports) {
  ASSERT_EQ(export_with("--cases 60").status, 0);
  run_board(1, "WRONG=dilation_h");
  const std::string out = folder_ + "/report";
  const Ran ran =
      verify("--json " + out + ".json --junit " + out + ".xml --html " + out + ".html --c " + out + ".c");
  EXPECT_EQ(ran.status, 1) << ran.text;
  const auto json = json_of(out + ".json");
  EXPECT_EQ(json["verdict"], "fail");
  EXPECT_GT(json["further"]["cases"], 0);
  EXPECT_EQ(json["further"]["folder"], folder_ + "/round2");
  EXPECT_THAT(json["counterexamples"][0]["folder"].get<std::string>(), HasSubstr(folder_ + "/round1/"));
  EXPECT_EQ(json["replay"], "./wgradcheck vectors verify " + folder_);
  for (const char* type : {".xml", ".html", ".c"}) EXPECT_GT(fs::file_size(out + type), 100U);
  EXPECT_THAT(verify("--save " + folder_).text, HasSubstr("--save means nothing to vectors"));
}

}  // namespace
}  // namespace wgradcheck
