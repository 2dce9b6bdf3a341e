#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "spec/problem_line.hpp"
#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Check, ARightKernelPasses) {
  const Ran ran = run_program("check " + kernel("right.c") + " --seed 1");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("No counterexample in 10,000 runs"));
  EXPECT_THAT(ran.text, HasSubstr("\n  limits   Shapes not run are not covered.\n"));
  EXPECT_THAT(ran.text, HasSubstr("rounding worst error 0."));
}

TEST(Check, AChanceOfAMissIsStatedOfAFreshSeedAndOfAllElementsAlone) {
  const std::string command = "check " + kernel("right.c") + " --cases 50";
  EXPECT_THAT(run_program(command).text, HasSubstr("the chance of having missed a wrong element was below"));
  for (const char* option : {" --seed 1", " --skip formula"})
    EXPECT_THAT(run_program(command + option).text, Not(HasSubstr("the chance of having missed")));
}

TEST(Check, ASourceMayIncludeTheDocumentedHeaderByName) {
  const std::string source =
      file_of("by_name.c", "#include \"conv_grad_filter.h\"\n#include \"" + kernel("right.c") + "\"\n");
  EXPECT_EQ(run_program("check " + source + " --cases 100").status, 0);
}

TEST(Check, APromiseOfSubnormalsIsTestedAndItsBreachIsElseANote) {
  const Ran held =
      run_program("check " + kernel("flushes_subnormals.c") + " --cases 1000 --promise subnormals=keep");
  EXPECT_EQ(held.status, 1) << held.text;
  EXPECT_THAT(held.text, HasSubstr("FAIL  rounding: subnormal numbers are not kept"));
  const Ran free = run_program("check " + kernel("flushes_subnormals.c") + " --cases 1000");
  EXPECT_EQ(free.status, 0) << free.text;
  EXPECT_THAT(free.text, HasSubstr("subnormal numbers are not kept"));
  EXPECT_EQ(run_program("check " + kernel("right.c") + " --cases 1000 --promise subnormals=keep").status, 0);
}

TEST(Check, ALeakIsANote) {
  const std::string check =
      "check " WGRADCHECK_SOURCE "/tests/mutants/direct.c --cases 60 --seed 1 --cflags=";
  const Ran leaks = run_program(check + "'-DLAST=seen=(Real)(uintptr_t)malloc(1000)'");
  EXPECT_EQ(leaks.status, 0) << leaks.text;
  EXPECT_THAT(leaks.text, HasSubstr("runs under sanitizers left memory allocated"));
  // What the first call keeps for those to come is none.
  const Ran keeps = run_program(check + "'-DLAST=if(calls==1)seen=(Real)(uintptr_t)malloc(1000)'");
  EXPECT_EQ(keeps.status, 0) << keeps.text;
  EXPECT_THAT(keeps.text, Not(HasSubstr("allocated")));
}

TEST(Check, APromiseOfTheSameBitsIsTestedAndItsBreachIsElseANote) {
  const Ran held = run_program("check " + kernel("order_changes.c") + " --cases 1000 --promise repeat=bits");
  EXPECT_EQ(held.status, 1) << held.text;
  EXPECT_THAT(held.text, HasSubstr("FAIL  rules: the same call gives other bits"));
  const Ran free = run_program("check " + kernel("order_changes.c") + " --cases 1000");
  EXPECT_EQ(free.status, 0) << free.text;
  EXPECT_THAT(free.text, HasSubstr("the same call gives other bits"));
  EXPECT_EQ(run_program("check " + kernel("right.c") + " --cases 1000 --promise repeat=bits").status, 0);
}

TEST(Check, ATransformThatIsNotPromisedIsANoteUnlessDirectSumsAre) {
  const std::string winograd =
      "check " WGRADCHECK_SOURCE
      "/tests/mutants/winograd.c --where 'kw==3 && sw==1 && dw==0' --cases 4000 --seed 5";
  const Ran silent = run_program(winograd);
  EXPECT_EQ(silent.status, 0) << silent.text;
  EXPECT_THAT(silent.text, HasSubstr("as after a"));
  const Ran direct = run_program(winograd + " --promise algorithm=direct");
  EXPECT_EQ(direct.status, 1) << direct.text;
}

TEST(Check, HelpFitsATerminal) {
  for (const char* words : {"--help", "bench --help", "check --help", "prove --help", "plan --help",
                            "fuzz --help", "profile --help", "replay --help", "run --help", "targets --help",
                            "targets", "vectors --help", "vectors export --help", "vectors verify --help"}) {
    const Ran ran = run_program(words);
    EXPECT_EQ(ran.status, 0);
    std::istringstream lines(ran.text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << words << ": " << line;
  }
}

TEST(Check, HelpTellsHowManyCasesEachCommandMakes) {
  EXPECT_THAT(run_program("check --help").text, HasSubstr("10000, or 300"));
  EXPECT_THAT(run_program("vectors export --help").text, HasSubstr("Cases to generate; 400\n"));
}

TEST(Check, AShapeTooLargeForTheMachineIsSkippedWithItsSize) {
  const Ran ran = run_program("check plain_fp32_p --shape mb1000ic1000ih500oc1oh500kh1");
  EXPECT_EQ(ran.status, 3) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("GiB"));
}

TEST(Check, ALeftOutDilationIsFoundShrunkAndNamed) {
  const std::string file = temporary("dilation.json");
  const Ran ran = run_program("check " + kernel("dilation_h_left_out.c") + " --cases 1000 --json " + file);
  EXPECT_EQ(ran.status, 1) << ran.text;
  const auto found = json_of(file)["counterexamples"][0];
  EXPECT_EQ(found["property"], "formula");
  EXPECT_EQ(found["behaves_as"], "dilation_h_ignored");
  const auto shape = std::get<spec::Shape>(spec::parse_line(found["shape"].get<std::string>()));
  EXPECT_LE(shape.height.input, 3);
  EXPECT_EQ(shape.width.input, 1);
}

TEST(Check, TheReplayCommandOfAReportFailsAgain) {
  const std::string file = temporary("replay.json");
  run_program("check " + kernel("dilation_h_left_out.c") + " --cases 1000 --json " + file);
  std::string command = json_of(file)["counterexamples"][0]["replay"];
  command.erase(0, command.find(" check ") + 1);
  const Ran ran = run_program(command);
  EXPECT_EQ(ran.status, 1) << ran.text;
}

TEST(Check, ASavedCounterexampleFailsAgain) {
  const std::string folder = temporary("saved");
  run_program("check " + kernel("dilation_h_left_out.c") + " --cases 1000 --save " + folder);
  const Ran ran = run_program("replay " + folder + "/formula.json");
  EXPECT_EQ(ran.status, 1) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("formula"));
}

TEST(Check, ACounterexampleIsKeptAndRunFirstNextTime) {
  const std::string folder = temporary("kept"), file = temporary("kept.json");
  const std::string words =
      "check " + kernel("dilation_h_left_out.c") + " --keep " + folder + " --json " + file;
  run_program(words + " --cases 1000");
  const auto found = json_of(file)["counterexamples"][0];
  ASSERT_FALSE(std::filesystem::is_empty(folder));
  // No case is generated, so that only what was kept can fail.
  EXPECT_EQ(run_program(words + " --cases 0").status, 1);
  EXPECT_EQ(json_of(file)["counterexamples"][0]["shape"], found["shape"]);
  EXPECT_EQ(run_program(words + " --cases 0 --seed 1").status, 3) << "a seed asks for the runs that it gives";
  const std::string other = "check " + kernel("right.c") + " --keep " + folder + " --cases 50";
  EXPECT_EQ(run_program(other).status, 0) << "another kernel's counterexamples are not run";
  std::ofstream(std::filesystem::directory_iterator(folder)->path()) << "{";
  EXPECT_EQ(run_program(words + " --cases 1000").status, 1) << "damage does no harm";
}

TEST(Check, WhatWasKeptUnderAPromiseIsNotAskedWithoutIt) {
  const std::string words = "check " + kernel("summed.c") + " --keep " + temporary("asked") + " --cases 100";
  const Ran held = run_program(words + " --promise refuses=yes --promise bias=column");
  EXPECT_EQ(held.status, 1) << held.text;
  EXPECT_THAT(held.text, HasSubstr("did not refuse"));
  const Ran again = run_program(words + " --promise refuses=yes");
  EXPECT_EQ(again.status, 1) << again.text;
  EXPECT_THAT(again.text, HasSubstr("counterexamples of earlier checks were run first (2)"));
  const Ran free = run_program(words);
  EXPECT_EQ(free.status, 0) << free.text;
}

TEST(Check, ADomainIsStatedInTheVerdictAndKeptToIt) {
  const Ran everywhere = run_program("check " + kernel("multiple_of_8.c") + " --cases 1000");
  EXPECT_EQ(everywhere.status, 1) << everywhere.text;
  const std::string file = temporary("where.json");
  const Ran inside =
      run_program("check " + kernel("multiple_of_8.c") + " --cases 1000 --where 'ic%8==0' --json " + file);
  EXPECT_EQ(inside.status, 0) << inside.text;
  EXPECT_THAT(inside.text, HasSubstr("ic%8==0"));
  EXPECT_EQ(json_of(file)["domain"], "ic%8==0");
}

TEST(Check, TheSameSeedGivesTheSameReport) {
  const std::string words = "check " + kernel("dilation_h_left_out.c") + " --cases 1000 --seed 42";
  EXPECT_EQ(run_program(words).text, run_program(words).text);
}

TEST(Check, ASkippedChannelIsNamed) {
  const Ran ran = run_program("check " + kernel("dilation_h_left_out.c") + " --cases 1000 --skip formula");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("channel formula"));
}

TEST(Check, AShapeThatTheConventionCannotExpressIsCountedAsSkipped) {
  const Ran ran = run_program("check plain_fp32_p --shape ic1id3oc1od1kd3");
  EXPECT_EQ(ran.status, 3) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("skipped"));
}

struct Bad {
  const char* name;
  std::string words, says;
};

class BadInput : public testing::TestWithParam<Bad> {};

TEST_P(BadInput, GetsOneSentenceAndExitStatus2) {
  const Ran ran = run_program(GetParam().words);
  EXPECT_EQ(ran.status, 2) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr(GetParam().says));
  EXPECT_EQ(std::count(ran.text.begin(), ran.text.end(), '\n'), 1) << ran.text;
}

TEST(Check, AMessageKeepsLettersThatAreText) {
  EXPECT_THAT(run_program("check k\u00fcche.c").text, HasSubstr("k\u00fcche.c is neither"));
}

INSTANTIATE_TEST_SUITE_P(
    Program, BadInput,
    testing::Values(
        Bad{"MissingFile", "check no_such_kernel.c", "no_such_kernel.c"},
        Bad{"NoSymbol", "check /lib/x86_64-linux-gnu/libm.so.6", "fp_conv_grad_filter_p"},
        Bad{"DoesNotCompile", "check " + kernel("does_not_compile.c"), "does_not_compile.c"},
        Bad{"GroupsDoNotDivide", "check plain_fp32_p --shape g3ic4ih4oc3oh2kh3", "ic is 4"},
        Bad{"NegativeSize", "check plain_fp32_p --shape ic-4ih4oc4oh2kh3", "ic"},
        Bad{"Expression", "check plain_fp32_p --where 'ic%%8'", "--where"},
        Bad{"EmptyDomain", "check plain_fp32_p --where 'ic<0'", "domain"},
        Bad{"Promise", "check plain_fp32_p --promise acc=f33", "acc"},
        Bad{"Json", "check plain_fp32_p --json /no/such/folder/v.json", "/no/such/folder/v.json"},
        Bad{"NoSuchCommand", "chekc plain_fp32_p", "chekc is not a command; commands are bench, check"},
        Bad{"NoSuchOption", "check plain_fp32_p --case 3", "--case"},
        Bad{"NegativeSeed", "check plain_fp32_p --seed -1", "--seed"},
        Bad{"JsonWithoutName", "check plain_fp32_p --json ''", "--json"},
        Bad{"CoresOfAPrivateKernel", "check plain_fp32_p --cores 2", "--cores means nothing"},
        Bad{"EndlessShapes", "check plain_fp32_p --shapes /dev/zero", "/dev/zero"},
        Bad{"Pattern", "prove --smt2 /no/such/folder nonsense", "name contains; `prove --list` prints"},
        Bad{"Junit", "check plain_fp32_p --junit /no/such/folder/v.xml", "/no/such/folder/v.xml"},
        Bad{"Html", "check plain_fp32_p --html /no/such/folder/v.html", "/no/such/folder/v.html"},
        Bad{"C", "check plain_fp32_p --c /no/such/folder/v.c", "/no/such/folder/v.c"},
        Bad{"TwoOnStandardOutput", "check plain_fp32_p --json - --html -", "--json and --html"},
        Bad{"PromiseFile", "check plain_fp32_p --promises " + kernel("right.c"), "right.c:1:"},
        Bad{"NoPromiseFile", "check plain_fp32_p --promises /no/such", "/no/such"},
        Bad{"Masked", "check plain_fp32_p --shape ic1ih1oc1oh1kh1 --masked 9", "--masked"},
        Bad{"AgainstAnotherConvention", "check plain_fp32_p --against mt7004_fp16_p",
            "is called as mt7004_fp16_p"},
        Bad{"AgainstNothing", "check plain_fp32_p --against no_such.so", "no_such.so"},
        Bad{"ProfileOfNothing", "profile no_such_kernel.c", "no_such_kernel.c"},
        Bad{"ProfileToNoFolder", "profile plain_fp32_p --promises /no/such/folder/p", "/no/such/folder/p"},
        Bad{"TwoProfilesOnStandardOutput", "profile plain_fp32_p --json - --promises -",
            "--json and --promises"},
        Bad{"BatchOfNoShape", "check plain_fp32_p --mb 2", "--mb 2 means nothing without --shape"},
        Bad{"Align", "check plain_fp32_p --align 3", "--align: must be a power of two up to 4096"},
        Bad{"ASilentCompiler", "check " + kernel("right.c") + " --cc false",
            "does not compile: the compiler false failed and printed nothing"},
        Bad{"NoText", "check $(printf 'k\\377\\033.c')", "k\\xff\\x1b.c is neither"},
        Bad{"CoreMask", "check mt7004_fp32_s --core-mask 0b12", "--core-mask is 0b12"},
        Bad{"Workspace", "check plain_fp32_p --workspace 12K", "--workspace is 12K"},
        Bad{"Param", "check plain_fp32_p --shape ic1ih1oc1oh1kh1 --param kernel_h_=1=2",
            "--param is kernel_h_=1=2"},
        Bad{"PlanToNoFolder", "plan ic1ih1oc1oh1kh1 --json /no/such/folder/p", "/no/such/folder/p"},
        Bad{"Saved", "replay " + kernel("right.c"), "right.c"},
        Bad{"Shapes", "check plain_fp32_p --shapes " + kernel("right.c"), "right.c"}),
    [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace wgradcheck
