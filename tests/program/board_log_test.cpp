#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <tuple>

#include "tests/program/board.hpp"

namespace wgradcheck {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The text of a verdict from its first line on, for its property and detail.
std::string first_line(const std::string& text) {
  const std::size_t at = text.find_first_not_of('\n');
  return text.substr(at, text.find('\n', at) - at);
}

/// The log of a kernel that aborts in the second call of three.
TEST(Board, ACrashIsToldByItsCallAndTheProgramGoesOnBehindIt) {
  const Board board;
  board.write("k.c", check::private_kernel("if (p->output_h_ == 2) abort();"));
  ASSERT_EQ(
      board
          .vectors("export --c 1.c --abi fp_conv_grad_filter_p --buffer 4242 --shape ih3oh3kh1ic2oc2 --shape "
                   "ih2oh2kh1ic2oc2 --shape ih4oh4kh1ic2oc2")
          .status,
      0);
  EXPECT_NE(board.run("1", "k.c").status, 0);
  const auto verdict = board.vectors("verify 1.c 1.log");
  EXPECT_EQ(verdict.status, 1) << verdict.output;
  EXPECT_THAT(verdict.output,
              AllOf(HasSubstr("FAIL  hang: crashed or hung: the log ends where the program makes the call"),
                    HasSubstr("shape    ic2ih2oc2oh2kh1"), HasSubstr("-DWGRADCHECK_FIRST=2")));
  ASSERT_EQ(board.sh("mv 1.log first.log").status, 0);
  ASSERT_EQ(board.run("1", "k.c", "-DWGRADCHECK_FIRST=2").status, 0);
  const auto both = board.vectors("verify 1.c first.log 1.log --json -");
  EXPECT_EQ(both.status, 1);
  EXPECT_THAT(both.output, AllOf(HasSubstr("\"run\": 3"), HasSubstr("\"open\": 0")));
}

/// The log of a right kernel, and a program of three calls.
class Log : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(board
                  .vectors("export --c 1.c --abi fp_conv_grad_filter_p --shape ih3oh3kh1ic2oc2 --shape "
                           "ih2oh2kh1ic2oc2 --shape ih4oh4kh1ic2oc2")
                  .status,
              0);
    ASSERT_EQ(board.run("1", kernel("right.c"), "", kHeader).status, 0);
    log = board.read("1.log");
    ASSERT_EQ(board.vectors("verify 1.c 1.log").status, 0);
  }
  tests::Ran judged(const std::string& text) {
    board.write("1.log", text);
    return board.vectors("verify 1.c 1.log");
  }

  Board board;
  std::string log;
};

/// But for the one place between a call and what comes of it, where a crash would leave it as well.
TEST_F(Log, ThatIsCutShortIsNoWrongKernel) {
  for (std::size_t length = log.find('\n') + 1; length < log.find("e*"); length += 7) {
    if (log.substr(0, length).ends_with(';')) continue;
    const auto verdict = judged(log.substr(0, length));
    EXPECT_EQ(verdict.status, length > log.find(';', log.find("r2,")) ? 0 : 3)
        << log.substr(0, length) << verdict.output;
    EXPECT_THAT(verdict.output, HasSubstr("the log of 1.c does not come to the program's end"));
  }
}

TEST_F(Log, WithADamagedLineHasOneCallLess) {
  std::string damaged = log;
  const std::size_t at = damaged.find("r1,") + 5;
  damaged[at] = damaged[at] == '0' ? '1' : '0';
  const auto verdict = judged(damaged);
  EXPECT_EQ(verdict.status, 3);
  EXPECT_THAT(verdict.output,
              AllOf(HasSubstr("NO VERDICT"), HasSubstr("its line is damaged"), HasSubstr("1 of 3"),
                    HasSubstr("1 damaged line of the log counts for nothing")));
  damaged.replace(damaged.find("r2,") + 5, 1, "?");
  EXPECT_THAT(judged(damaged).output, HasSubstr("2 damaged lines of the log count for nothing"));
}

TEST_F(Log, ThatSaysAllLeavesNothingFurtherToRun) {
  const auto verdict = board.vectors("verify 1.c 1.log --json -");
  EXPECT_EQ(verdict.status, 0);
  const auto further = nlohmann::json::parse(verdict.output)["further"];
  EXPECT_EQ(further["cases"], 0);
  EXPECT_EQ(further["folder"], "");
}

TEST_F(Log, IsNotJudgedBeforeWhatIsAskedForCanBeWritten) {
  const std::string program = board.read("1.c");
  for (const auto& [option, says] : {std::pair{"--save saved", "--save means nothing to vectors"},
                                     {"--json /no/such/folder/v", "cannot write /no/such/folder/v"},
                                     {"--next /no/such/folder/2.c", "cannot write /no/such/folder/2.c"},
                                     {"--next -", "--next is -, but standard output holds the verdict"},
                                     {"--next ./1.c", "--next ./1.c is one of the files that are judged"}}) {
    const auto ran = board.vectors(std::string("verify 1.c 1.log ") + option);
    EXPECT_EQ(ran.status, 2) << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(ran.output, '\n'), 1) << ran.output;
  }
  EXPECT_FALSE(std::filesystem::exists(board.file("saved")));
  EXPECT_EQ(board.read("1.c"), program);
}

TEST_F(Log, OfAProgramThatWasAlteredIsRefusedByTheField) {
  const std::string program = board.read("1.c");
  for (const auto& [from, to, says] :
       {std::tuple{"\"version\": \"", "\"version\": \"0", "field version is 0"},
        {"\"format\": 1", "\"format\": 2", "field format is 2"},
        {"\"tool\": \"", "\"tool\": \"my", "field tool is not wgradcheck"},
        {"\"full\": ", "\"empty\": ", "field empty is unknown"},
        {"\"calls\": [\n  \"", "\"calls\": [\n  \"x", "field calls holds no key: x"}}) {
    std::string altered = program;
    const std::size_t at = altered.rfind(from);
    ASSERT_NE(at, std::string::npos) << from;
    board.write("1.c", altered.replace(at, std::strlen(from), to));
    const auto ran = board.vectors("verify 1.c 1.log");
    EXPECT_EQ(ran.status, 2) << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(says));
  }
}

TEST_F(Log, OfAnotherProgramIsNone) {
  ASSERT_EQ(board.vectors("export --c 2.c --abi fp_conv_grad_filter_p --shape ih3oh3kh1ic2oc3").status, 0);
  const auto verdict = board.vectors("verify 2.c 1.log");
  EXPECT_EQ(verdict.status, 3);
  EXPECT_THAT(verdict.output, HasSubstr("no log of 2.c is here"));
}

TEST_F(Log, OfTheNextProgramReturnsADwThatWasTooLarge) {
  ASSERT_EQ(
      board.vectors("export --c 1.c --abi fp_conv_grad_filter_p --full 16 --shape ih3oh3kh1ic3oc3").status,
      0);
  board.write("k.c", check::private_kernel("") + "\n");
  ASSERT_EQ(board.sh("sed -i 's/dw\\[i\\] += dy/dw[i] += 2 * dy/' k.c").status, 0);
  ASSERT_EQ(board.run("1", "k.c").status, 0);
  const auto first = board.vectors("verify 1.c 1.log --next 2.c");
  EXPECT_EQ(first.status, 3);
  EXPECT_THAT(first.output, HasSubstr("its dW is not the one expected, and was not returned"));
  ASSERT_EQ(board.run("2", "k.c").status, 0);
  const auto second = board.vectors("verify 1.c 1.log 2.c 2.log");
  EXPECT_EQ(second.status, 1);
  EXPECT_EQ(first_line(second.output), "FAIL  formula: 9 of 9 elements of dW are wrong");
}

}  // namespace
}  // namespace wgradcheck
