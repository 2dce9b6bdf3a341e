#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "optional.hpp"
#include "tests/program/board.hpp"

namespace wgradcheck {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class OnEach : public testing::TestWithParam<Target> {};

/// What a verdict says of the failure: from its shape to the slip.
std::string failure(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);)
    for (const char* const start : {"  shape ", "  call ", "    extra ", "  Your kernel behaves as if"})
      if (line.starts_with(start)) out += line + "\n";
  return out;
}

TEST_P(OnEach, ASlipIsShrunkAndNamedAsOnThisMachine) {
  if (!GetParam().emulator.empty()) {
    WGRADCHECK_NEEDS(GetParam().compiler);
    WGRADCHECK_NEEDS(GetParam().emulator);
  }
  const Board board(GetParam());
  ASSERT_EQ(board.vectors("export --c 1.c --abi fp_conv_grad_filter_p --cases 150 --seed 7").status, 0);
  std::string files, text;
  int round = 1;
  for (; std::filesystem::exists(board.file(std::to_string(round) + ".c")); ++round) {
    ASSERT_LT(round, 12) << text;
    const std::string n = std::to_string(round);
    ASSERT_EQ(board.run(n, kernel("dilation_h_left_out.c"), "", kHeader).status, 0);
    files += n + ".c " + n + ".log ";
    const auto verdict = board.vectors("verify " + files + "--next " + std::to_string(round + 1) + ".c");
    ASSERT_EQ(verdict.status, 1) << verdict.output;
    text = verdict.output;
  }
  EXPECT_GT(round, 2);
  EXPECT_THAT(
      text, AllOf(HasSubstr("(dilation_h_ignored; "), HasSubstr("smaller neighbours"), HasSubstr("pass\n")));
  const auto here = board.sh(std::string(WGRADCHECK_BUILD) + "/wgradcheck check " +
                             kernel("dilation_h_left_out.c") + " --cases 150 --seed 7");
  EXPECT_EQ(failure(text), failure(here.output)) << text << here.output;
  EXPECT_THAT(failure(text), HasSubstr("dilation_h were 1"));
}

TEST_P(OnEach, ARightKernelPasses) {
  if (!GetParam().emulator.empty()) {
    WGRADCHECK_NEEDS(GetParam().compiler);
    WGRADCHECK_NEEDS(GetParam().emulator);
  }
  const Board board(GetParam());
  ASSERT_EQ(board
                .vectors("export --c 1.c --abi fp_conv_grad_filter_p --cases 150 --seed 8 --promise acc=f32 "
                         "--promise subnormals=keep --promise nonfinite_padding=skip --promise repeat=bits")
                .status,
            0);
  ASSERT_EQ(board.run("1", kernel("right.c"), "", kHeader).status, 0);
  const auto verdict = board.vectors("verify 1.c 1.log");
  EXPECT_EQ(verdict.status, 0) << verdict.output;
  EXPECT_THAT(verdict.output,
              AllOf(HasSubstr("PASS  No counterexample in 150 runs."), HasSubstr("rounding worst error")));
}

INSTANTIATE_TEST_SUITE_P(Board, OnEach,
                         testing::Values(Target{"Native"},
                                         Target{"Aarch64", "aarch64-linux-gnu-gcc", "qemu-aarch64"},
                                         Target{"Riscv64", "riscv64-linux-gnu-gcc", "qemu-riscv64"},
                                         Target{"Arm", "arm-linux-gnueabihf-gcc", "qemu-arm"},
                                         Target{"BigEndian", "powerpc-linux-gnu-gcc", "qemu-ppc"}),
                         [](const auto& param) { return param.param.name; });

struct Wrong {
  const char* name;
  const char* slip;  ///< of tests/check/kernels.hpp's private kernel
  const char* says;
};

class WrongOnBoard : public testing::TestWithParam<Wrong> {};

TEST_P(WrongOnBoard, IsFound) {
  const Board board;
  board.write("k.c", check::private_kernel(GetParam().slip));
  ASSERT_EQ(
      board.vectors("export --c 1.c --abi fp_conv_grad_filter_p --buffer 4242 --shape mb2ic3ih5oc2oh4kh2")
          .status,
      0);
  ASSERT_EQ(board.run("1", "k.c").status, 0);
  const auto verdict = board.vectors("verify 1.c 1.log");
  EXPECT_EQ(verdict.status, 1) << verdict.output;
  EXPECT_THAT(verdict.output, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Each, WrongOnBoard,
    testing::Values(
        Wrong{"AfterDy", "dy[n_dy] = 1;", "FAIL  memory: wrote past the end of dy: at byte 256 of 256"},
        Wrong{"BeforeDy", "dy[-2] = 1;", "FAIL  memory: wrote 5 bytes before the start of dy"},
        Wrong{"AfterX", "((char *)x)[600 + 511] = 1;",
              "FAIL  memory: wrote past the end of x: at byte 1111 of 600"},
        Wrong{"BeforeX", "x[-1] = 1;", "FAIL  memory: wrote 1 bytes before the start of x"},
        Wrong{"AfterDw", "dw[n_dw] = 0;", "FAIL  memory: wrote past the end of dw"},
        Wrong{"BeforeDw", "dw[-1] = 1;", "FAIL  memory: wrote 1 bytes before the start of dw"},
        Wrong{"NaNAfterDw", "memset(dw + n_dw, 255, 4);", "FAIL  memory: wrote past the end of dw"},
        Wrong{"AfterParam", "((char *)(p + 1))[0] = 1;", "FAIL  memory: wrote past the end of param"},
        Wrong{"BeforeParam", "((char *)p)[-1] = 1;", "FAIL  memory: wrote 1 bytes before the start of param"},
        Wrong{"AfterWorkspace", "work[n_work] = 1;",
              "FAIL  memory: wrote past the end of workspace: at byte 16968"},
        Wrong{"BeforeWorkspace", "work[-1] = 1;",
              "FAIL  memory: wrote 1 bytes before the start of workspace"},
        Wrong{"ReadsAfterX", "dw[0] += 0 * x[n_x];", "FAIL  memory: dW depends on bytes outside x\n"},
        Wrong{"ReadsBeforeDy", "dw[0] += 0 * dy[-1];", "FAIL  memory: dW depends on bytes outside dy\n"},
        Wrong{"ReadsAfterDw", "dw[0] += dw[n_dw] != dw[n_dw];",
              "FAIL  memory: dW depends on bytes outside dw\n"},
        Wrong{"ReadsTwo", "dw[0] += (dy[-1] != dy[-1]) + 2 * (x[n_x] != x[n_x]);",
              "FAIL  memory: dW depends on bytes outside dy, x\n"},
        Wrong{"ReadsTwoAtOnce", "dw[0] += dy[-1] * 0 + x[n_x] * 0;",
              "FAIL  memory: dW depends on what lay around or in several buffers together"},
        Wrong{"ReadsWorkspace", "dw[0] += 0 * work[3];",
              "FAIL  memory: dW depends on what lay in workspace before"},
        Wrong{"ChangesX", "x[1] = 77;", "FAIL  rules: changed its input x[n0][h0][w0][c1]"},
        Wrong{"ChangesDy", "dy[n_dy - 1] = 77;", "FAIL  rules: changed its input dy[n1][h3][w3][c1]"},
        Wrong{"ChangesParam", "p->pad_d_ += 1;", "FAIL  rules: changed its input conv_param->pad_d_"},
        Wrong{"ChangesPointer", "p->workspace_ = 0;",
              "FAIL  rules: changed its input conv_param->workspace_"},
        Wrong{"EveryOtherCall", "static int calls; dw[0] += calls++ % 2;",
              "FAIL  memory: the same call gives another dW the next time, on exact data"},
        Wrong{"OneElement", "dw[5] += 1;", "FAIL  formula: 1 of 24 elements of dW is wrong"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(Board, TheUseOfTheWorkspaceIsMeasured) {
  const Board board;
  board.write("k.c", check::private_kernel("work[100] = 0;"));
  ASSERT_EQ(
      board.vectors("export --c 1.c --abi fp_conv_grad_filter_p --buffer 4242 --shape mb2ic3ih5oc2oh4kh2")
          .status,
      0);
  ASSERT_EQ(board.run("1", "k.c").status, 0);
  const auto verdict = board.vectors("verify 1.c 1.log");
  EXPECT_EQ(verdict.status, 0) << verdict.output;
  EXPECT_THAT(verdict.output, HasSubstr("workspace: at most 404 of 16968 bytes used"));
}

TEST(Board, AWriteAroundBiasIsFound) {
  const Board board;
  board.write("k.c", check::private_kernel("if (bias) bias[n_bias] = 1;"));
  ASSERT_EQ(
      board
          .vectors("export --c 1.c --abi fp_conv_grad_filter_p --buffer 4242 --cases 40 --seed 3 --promise "
                   "bias=column --where 'ic<9&&kh<4&&kw<4'")
          .status,
      0);
  ASSERT_EQ(board.run("1", "k.c").status, 0);
  const auto verdict = board.vectors("verify 1.c 1.log");
  EXPECT_EQ(verdict.status, 1) << verdict.output;
  EXPECT_THAT(verdict.output, HasSubstr("FAIL  memory: wrote past the end of bias"));
}

TEST(Board, OrderThatChangesIsANoteUntilBitsArePromised) {
  const Board board;
  const std::string cases = "export --c 1.c --abi fp_conv_grad_filter_p --cases 120 --seed 7";
  ASSERT_EQ(board.vectors(cases).status, 0);
  ASSERT_EQ(board.run("1", kernel("order_changes.c"), "", kHeader).status, 0);
  const auto verdict = board.vectors("verify 1.c 1.log");
  EXPECT_EQ(verdict.status, 0) << verdict.output;
  EXPECT_THAT(verdict.output, HasSubstr("note     the same call gives other bits the next time"));
  ASSERT_EQ(board.vectors(cases + " --promise repeat=bits").status, 0);
  const auto held = board.vectors("verify 1.c 1.log");
  EXPECT_EQ(held.status, 1) << held.output;
  EXPECT_THAT(held.output, HasSubstr("FAIL  rules: the same call gives other bits the next time"));
}

}  // namespace
}  // namespace wgradcheck
