#include "tests/program/board.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace wgradcheck {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Board, ProgramsOfEveryConventionAreStrictC89) {
  const Board board;
  for (const std::string abi :
       {"fp_conv_grad_filter_p", "hp_conv_grad_filter_p", "fp_conv_grad_filter_s", "hp_conv_grad_filter_s"}) {
    ASSERT_EQ(board.vectors("export --c 1.c --cases 30 --abi " + abi).status, 0);
    for (const std::string how : {"", "-DWGRADCHECK_PUTCHAR=put", "-DWGRADCHECK_FIRST=7",
                                  "-Os -DWGRADCHECK_RAM='((unsigned char*)0x10000000UL)'"}) {
      const auto built = board.sh("cc" + kStrict + how + " -c 1.c -o 1.o");
      EXPECT_EQ(built.status, 0) << abi << how << built.output;
    }
    // It needs nothing but the kernel; memset and its like may come from the compiler.
    const auto needs = board.sh("cc" + kStrict + "-O1 -c 1.c -o 1.o && nm -u 1.o | grep -vwE '" + abi +
                                "|memset|memcpy|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail'");
    EXPECT_EQ(needs.output, "");
  }
}

TEST(Board, ACompilerThatCountsOtherwiseIsRefused) {
  const Board board;
  ASSERT_EQ(board.vectors("export --c 1.c --cases 20 --abi fp_conv_grad_filter_p").status, 0);
  const std::string own = "#define CHAR_BIT 16\n#define UINT_MAX 65535u\n";
  std::filesystem::create_directory(board.file("own"));
  board.write("own/limits.h", own);
  const auto built = board.sh("cc -std=c89 -nostdinc -Iown -c 1.c");
  EXPECT_NE(built.status, 0);
  EXPECT_THAT(built.output, AllOf(HasSubstr("bytes of 8 bits"), HasSubstr("an int of 32 bits")));
}

TEST(Board, HalfPrecisionIsRunAndJudged) {
  const Board board;
  ASSERT_EQ(board.vectors("export --c 1.c --abi hp_conv_grad_filter_p --cases 120 --seed 9 --promise acc=f32")
                .status,
            0);
  for (const auto& [flags, status] : {std::pair{"-DHALF", 0}, {"-DHALF -DSLIP_DOUBLED", 1}}) {
    ASSERT_EQ(board.run("1", kernel("slips.c"), "", kHeader + flags).status, 0);
    const auto verdict = board.vectors("verify 1.c 1.log");
    EXPECT_EQ(verdict.status, status) << verdict.output;
  }
}

TEST(Board, ASharedKernelIsCalledOnOneCore) {
  const Board board;
  const std::string exporting = "export --c 1.c --abi fp_conv_grad_filter_s --cases 60 --seed 5";
  ASSERT_EQ(board.vectors(exporting).status, 0);
  EXPECT_THAT(board.read("1.c"), HasSubstr("The kernel is called on one core, with a core_mask of 1."));
  board.write("k.c", check::shared_kernel(""));
  ASSERT_EQ(board.run("1", "k.c").status, 0);
  const auto verdict = board.vectors("verify 1.c 1.log");
  EXPECT_EQ(verdict.status, 0) << verdict.output;
  EXPECT_THAT(verdict.output, HasSubstr("60 on 1 core"));
}

TEST(Board, SeveralCoresNeedTheOneWhoKnowsThem) {
  const Board board;
  ASSERT_EQ(board.vectors("export --c 1.c --abi fp_conv_grad_filter_s --cases 60 --seed 5 --core-mask 0b1010")
                .status,
            0);
  const auto built = board.sh("cc" + kStrict + "-c 1.c");
  EXPECT_NE(built.status, 0);
  EXPECT_THAT(built.output,
              HasSubstr("define WGRADCHECK_RUN, which calls the kernel on every core of the mask"));
  board.write("own.h", check::kParameterText +
                           "int putchar(int);\n"
                           "void run_on_cores(void*, void*, void*, void*, void*, int);\n");
  const std::string run =
      "-D'WGRADCHECK_HEADER=\"own.h\"' "
      "-D'WGRADCHECK_RUN(dy,x,dw,bias,p,mask)=run_on_cores(dy,x,dw,bias,p,mask)'";
  for (const auto& [slip, status] : {std::pair{"", 0}, {"if (rank == 1) dw[0] += 1;", 1}}) {
    std::string text = check::shared_kernel(slip);
    text.replace(text.find("p->buffer_size_ == 4242"), 23, "p->buffer_size_ != 4242");
    board.write("k.c", text);
    ASSERT_EQ(board.run("1", "k.c", run, "-DCORES -pthread").status, 0);
    const auto verdict = board.vectors("verify 1.c 1.log");
    EXPECT_EQ(verdict.status, status) << verdict.output;
    EXPECT_THAT(verdict.output, HasSubstr(" on 2 cores"));
  }
}

TEST(Board, TheKernelsOwnHeaderServes) {
  const Board board;
  ASSERT_EQ(board.vectors("export --c 1.c --abi hp_conv_grad_filter_p --cases 30 --promise acc=f32").status,
            0);
  board.write("own.h",
              "#include <stdio.h>\n#include \"" WGRADCHECK_SOURCE "/targets/include/conv_grad_filter.h\"\n");
  ASSERT_EQ(board.run("1", kernel("slips.c"), "-D'WGRADCHECK_HEADER=\"own.h\"'", kHeader + "-DHALF").status,
            0);
  EXPECT_EQ(board.vectors("verify 1.c 1.log").status, 0);
}

TEST(Board, BuffersLieWhereTheMapSays) {
  const Board board;
  board.write("k.c",
              check::private_kernel(
                  "if (sizeof(long) > 4 && ((long)x >> 28 != 1 || (long)work >> 28 != 8)) dw[0] += 1;"));
  const auto exported = board.vectors(
      "export --c 1.c --abi fp_conv_grad_filter_p --buffer 4242 --memory "
      "AM=0x10000000:768K,DDR=0x80000000:256M:workspace --shape mb2ic3ih5oc2oh4kh2 --shape "
      "ic300ih30oc4oh30kh1n_large "
      "--shape ic4oc4ih3oh3kh1");
  ASSERT_EQ(exported.status, 0);
  const std::string left_out = "left out: ic300ih30oc4oh30kh1: its x does not fit AM: it needs 2160000 bytes";
  EXPECT_THAT(exported.output, AllOf(HasSubstr("2 calls in 1.c"), HasSubstr(left_out))) << exported.output;
  EXPECT_THAT(board.read("1.c"), HasSubstr("its x does not fit AM"));
  const auto ran = board.run("1", "k.c", "", "-DPAGES");
  if (ran.status == 9) GTEST_SKIP() << "the documents' addresses are taken here";
  const auto verdict = board.vectors("verify 1.c 1.log");
  EXPECT_EQ(verdict.status, 0) << verdict.output;
  EXPECT_THAT(verdict.output, AllOf(HasSubstr("in 2 runs"), HasSubstr("does not fit AM")));
}

TEST(Board, ResultsMayBeDumpedFromMemory) {
  const Board board;
  ASSERT_EQ(board.vectors("export --c 1.c --abi fp_conv_grad_filter_p --cases 60 --seed 6").status, 0);
  ASSERT_EQ(board.run("1", kernel("right.c"), "-DWGRADCHECK_RESULTS=99999", kHeader + "-DDUMP=99999").status,
            0);
  EXPECT_EQ(board.vectors("verify 1.c 1.log").status, 0);
  // Where they are too many, the rest is not run.
  ASSERT_EQ(board.run("1", kernel("right.c"), "-DWGRADCHECK_RESULTS=2500", kHeader + "-DDUMP=2500").status,
            0);
  const auto verdict = board.vectors("verify 1.c 1.log");
  EXPECT_EQ(verdict.status, 3) << verdict.output;
  EXPECT_THAT(verdict.output, HasSubstr("there was no more room for its results"));
}

TEST(Board, WhereRoomEndsInTheMiddleOfADwNoLineIsBroken) {
  const Board board;
  ASSERT_EQ(board.vectors("export --c 1.c --abi fp_conv_grad_filter_p --cases 30 --seed 6").status, 0);
  for (const std::string bytes : {"2990", "3000", "3010", "3020", "3030", "3040"}) {
    ASSERT_EQ(board
                  .run("1", kernel("slips.c"), "-DWGRADCHECK_RESULTS=" + bytes,
                       kHeader + "-DSLIP_DOUBLED -DDUMP=" + bytes)
                  .status,
              0);
    EXPECT_THAT(board.read("1.log"), HasSubstr("d0,"));
    const auto verdict = board.vectors("verify 1.c 1.log");
    EXPECT_THAT(verdict.output, HasSubstr("the log of 1.c does not come to the program's end"));
    EXPECT_THAT(verdict.output, Not(HasSubstr("damaged line"))) << bytes;
  }
}

TEST(Board, BadWordsAreRefusedInOneSentence) {
  const Board board;
  for (const auto& [words, says] :
       {std::pair{"export", "vectors export writes to DIR or to --c FILE"},
        {"export d --c 1.c", "vectors export writes to DIR or to --c FILE"},
        {"export d --memory AM=:1M", "--memory means nothing to a folder, only to --c"},
        {"export --c 1.c --budget 100", "--budget means nothing to --c, only to a folder"},
        {"export --c 1.c", "--abi is host_f32: a program for a board calls kernels of conv_grad_filter.h"},
        {"export --c 1.c --abi fp_conv_grad_filter_p --memory AM", "--memory: AM is not NAME=BASE:SIZE"},
        {"export --c 1.c --abi fp_conv_grad_filter_p --memory AM=:1K --shape ic4oc4ih3oh3kh1",
         "not one case fits"},
        {"verify none.c", "none.c: No such file"},
        {"verify " WGRADCHECK_SOURCE "/README.md", "is no folder of vectors and no program"}}) {
    const auto ran = board.vectors(words);
    EXPECT_EQ(ran.status, 2) << words;
    EXPECT_THAT(ran.output, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(ran.output, '\n'), 1) << ran.output;
    EXPECT_FALSE(std::filesystem::exists(board.file("1.c")));
  }
}

}  // namespace
}  // namespace wgradcheck
