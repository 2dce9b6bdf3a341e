#include "check/kernel.hpp"

#include <gmock/gmock.h>

#include "tests/check/kernels.hpp"
#include "tests/optional.hpp"

namespace wgradcheck::check {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kForced =
    "void fp_conv_grad_filter_p(float *dy, float *x, float *dw, float *b, ConvParameter *p) {}";
constexpr const char* kPlain = "void fp_conv_grad_filter_p(void) {}";

/// The sentence with which a kernel is refused.
std::string refusal(const std::vector<std::string>& what, const Scratch& scratch, const std::string& abi = "",
                    const std::string& symbol = "", const Compile& compile = {}) {
  try {
    open_kernel(what, abi, symbol, compile, scratch.path());
  } catch (const BadInput& bad) {
    EXPECT_EQ(bad.sentence.find('\n'), std::string::npos);
    return bad.sentence;
  }
  return "not refused";
}

TEST(OpenKernel, TakesTheConventionFromTheExportedSymbol) {
  const Scratch scratch;
  const auto abi_of = [&](const std::string& symbol) {
    const std::string file = scratch.write("k.c", "void " + symbol + "(void) {}");
    return std::string(open_kernel({file}, "", "", {}, scratch.path()).abi->name);
  };
  EXPECT_EQ(abi_of("fp_conv_grad_filter_p"), "mt7004_fp32_p");
  EXPECT_EQ(abi_of("hp_conv_grad_filter_p"), "mt7004_fp16_p");
  EXPECT_EQ(abi_of("fp_conv_grad_filter_s"), "mt7004_fp32_s");
  EXPECT_EQ(abi_of("hp_conv_grad_filter_s"), "mt7004_fp16_s");
}

TEST(OpenKernel, TakesTheNamedConventionAndSymbol) {
  const Scratch scratch;
  const std::string file = scratch.write("k.c", "void mine(void) {}\nvoid hp_conv_grad_filter_s(void) {}");
  const Kernel mine = open_kernel({file}, "ft78ne_fp32_s", "mine", {}, scratch.path());
  EXPECT_STREQ(mine.abi->name, "ft78ne_fp32_s");
  EXPECT_EQ(mine.symbol, "mine");
  EXPECT_TRUE(mine.from_sources);
  EXPECT_STREQ(open_kernel({file}, "hp_conv_grad_filter_s", "", {}, scratch.path()).abi->name,
               "mt7004_fp16_s");
  EXPECT_THAT(refusal({file}, scratch, "", "mine"), HasSubstr("--symbol mine is not a documented symbol"));
  EXPECT_THAT(refusal({file}, scratch, "mt7004"), HasSubstr("--abi mt7004 is not a calling convention"));
  EXPECT_THAT(refusal({file}, scratch, "mt7004_fp32_p"), HasSubstr("has no function fp_conv_grad_filter_p"));
}

TEST(OpenKernel, ForcesTheHeaderOnlyOnSourcesThatNeedIt) {
  const Scratch scratch;
  const std::string without = scratch.write("without.c", kForced);
  const std::string with = scratch.write("with.c", kParameterText + kForced);
  const std::string own_type =
      scratch.write("own.c", "typedef unsigned short float16;\n" + kParameterText +
                                 "void hp_conv_grad_filter_p(float16 *dy, float16 *x, float16 "
                                 "*dw, float16 *b, ConvParameter *p) {}");
  const std::string cpp = scratch.write("without.cpp", kForced);
  for (const std::string& file : {without, with, own_type, cpp})
    EXPECT_NO_THROW(open_kernel({file}, "", "", {}, scratch.path())) << file;
}

TEST(OpenKernel, ShowsTheAuthorsErrorAndNotOneOfTheHeader) {
  const Scratch scratch;
  const std::string slip = "\nint slip(void) { return missing; }\n";
  const std::string without = scratch.write("without.c", kForced + slip);
  const std::string with = scratch.write("with.c", kParameterText + kForced + slip);
  for (const std::string& file : {without, with})
    EXPECT_THAT(refusal({file}, scratch), AllOf(StartsWith(file + " does not compile: " + file + ":"),
                                                HasSubstr("missing"), Not(HasSubstr("ConvParameter"))));
}

TEST(OpenKernel, BuildsSeveralSourcesAsOne) {
  const Scratch scratch;
  const std::string c = scratch.write("part.c", "int helper(void) { return 1; }");
  const std::string cpp = scratch.write(
      "part.cpp", "extern \"C\" int helper(); extern \"C\" void fp_conv_grad_filter_p() { helper(); }");
  EXPECT_EQ(open_kernel({c, cpp}, "", "", {}, scratch.path()).symbol, "fp_conv_grad_filter_p");
  EXPECT_THAT(refusal({cpp, cpp}, scratch),
              AllOf(HasSubstr("does not link"), HasSubstr("multiple definition")));
}

TEST(OpenKernel, HandsFlagsAndCompilerOn) {
  const Scratch scratch;
  const std::string file = scratch.write("k.c", "#ifdef WANTED\nvoid fp_conv_grad_filter_p(void) {}\n#endif");
  EXPECT_NO_THROW(open_kernel({file}, "", "", {.flags = "-DWANTED=1 -O0"}, scratch.path()));
  EXPECT_THAT(refusal({file}, scratch), HasSubstr("it exports no function"));
  EXPECT_THAT(refusal({file}, scratch, "", "", {.compiler = "no-such-cc"}),
              HasSubstr("the compiler no-such-cc cannot be run"));
  EXPECT_THAT(refusal({file}, scratch, "", "", {.flags = "--no-such-flag"}), HasSubstr("--no-such-flag"));
}

TEST(OpenKernel, SaysWhatAnObjectExportsInstead) {
  const Scratch scratch;
  const std::string near = scratch.write("near.c", "void other(void) {}\nvoid ConvGradFilter(void) {}");
  EXPECT_THAT(refusal({near}, scratch), HasSubstr("; it exports ConvGradFilter"));
  const std::string cpp = scratch.write("mangled.cpp", "void fp_conv_grad_filter_p(float*) {}");
  EXPECT_THAT(refusal({cpp}, scratch), HasSubstr("as a C++ name; declare it extern \"C\""));
  const std::string hidden = scratch.write(
      "hidden.c", "__attribute__((visibility(\"hidden\"))) void fp_conv_grad_filter_p(void) {}");
  EXPECT_THAT(refusal({hidden}, scratch), HasSubstr("it exports no function"));
}

TEST(OpenKernel, RefusesWhatIsNoKernelInOneSentence) {
  const Scratch scratch;
  EXPECT_THAT(refusal({}, scratch), HasSubstr("no kernel is named"));
  EXPECT_THAT(refusal({"nosuch.c"}, scratch),
              HasSubstr("nosuch.c is neither a file nor a bundled target (mt7004_fp32_p, "));
  EXPECT_THAT(refusal({scratch.path()}, scratch), HasSubstr("is not a file"));
  const std::string source = scratch.write("k.c", kPlain), text = scratch.write("k.txt", "text");
  EXPECT_THAT(refusal({text}, scratch), HasSubstr("neither a C or C++ source nor an ELF file"));
  EXPECT_THAT(refusal({source, text}, scratch), HasSubstr("k.txt is not a C or C++ source"));
  EXPECT_THAT(refusal({source, "gone.c"}, scratch), HasSubstr("gone.c does not exist"));
  EXPECT_THAT(refusal({"/proc/self/exe"}, scratch, "", "", {.sanitize = true}), HasSubstr("not a source"));
}

/// A copy of a small shared object with some of its bytes replaced.
std::string altered(const Scratch& scratch, std::size_t at, const std::string& bytes,
                    std::size_t keep = 1 << 30) {
  const std::string file = scratch.write("whole.c", kPlain);
  std::ifstream in(open_kernel({file}, "", "", {}, scratch.path()).library, std::ios::binary);
  std::string all(std::istreambuf_iterator<char>(in), {});
  all.replace(at, bytes.size(), bytes);
  return scratch.write("altered.so", all.substr(0, keep));
}

TEST(OpenKernel, ReadsSharedObjectsWithoutRunningThem) {
  const Scratch scratch;
  const std::string file = scratch.write(
      "k.c",
      std::string("#include <stdlib.h>\n__attribute__((constructor)) void early(void) { abort(); }\n") +
          kPlain);
  const Kernel built = open_kernel({file}, "", "", {}, scratch.path());
  const Kernel again = open_kernel({built.library}, "", "", {}, scratch.path());
  EXPECT_EQ(again.symbol, "fp_conv_grad_filter_p");
  EXPECT_FALSE(again.from_sources);
}

TEST(OpenKernel, RefusesAnObjectThatCannotBeLoadedHere) {
  const Scratch scratch;
  const std::string arm("\xb7\x00", 2), executable("\x02\x00", 2);
  EXPECT_THAT(refusal({altered(scratch, 18, arm)}, scratch),
              HasSubstr("is built for AArch64, this machine is"));
  EXPECT_THAT(refusal({altered(scratch, 16, executable)}, scratch), HasSubstr("not a shared object"));
  EXPECT_THAT(refusal({altered(scratch, 0, "", 40)}, scratch), HasSubstr("altered.so"));
  EXPECT_THAT(refusal({altered(scratch, 0, "", 400)}, scratch), HasSubstr("no dynamic symbol table"));
}

TEST(OpenKernel, SurvivesAnyDamageToAnObject) {
  const Scratch scratch;
  const std::string whole = altered(scratch, 0, "");
  const auto size = std::filesystem::file_size(whole);
  std::srand(1);
  for (int i = 0; i < 300; ++i) {
    std::filesystem::copy_file(whole, scratch.path() + "/damaged.so",
                               std::filesystem::copy_options::overwrite_existing);
    std::fstream file(scratch.path() + "/damaged.so", std::ios::in | std::ios::out | std::ios::binary);
    for (int n = 0; n < 8; ++n) {
      const auto near_tables = n % 2 == 0 ? static_cast<std::size_t>(std::rand()) % 64
                                          : size - 1 - static_cast<std::size_t>(std::rand()) % 2000;
      file.seekp(static_cast<std::streamoff>(near_tables)).put(static_cast<char>(std::rand()));
    }
    file.close();
    refusal({scratch.path() + "/damaged.so"}, scratch);
  }
}

TEST(BundledKernels, OpenByNameAndAreAllThere) {
  const Scratch scratch;
  EXPECT_EQ(bundled_kernels().size(), 13U);
  for (const Kernel& kernel : bundled_kernels()) {
    // A peer is not there where its library was not.
    if (!tests::in_ci() && absence(kernel) == "not built: libdnnl-dev was not installed") continue;
    EXPECT_TRUE(std::filesystem::exists(kernel.library)) << kernel.library;
    const Kernel opened = open_kernel({kernel.name}, "", "", {}, scratch.path());
    EXPECT_EQ(opened.library, kernel.library);
    EXPECT_TRUE(opened.bundled);
  }
  EXPECT_THAT(refusal({"plain_fp32_p"}, scratch, "mt7004_fp16_p"),
              HasSubstr("does not fit the bundled target"));
}

TEST(LocalExecutor, SaysWhyALibraryDoesNotLoad) {
  const Scratch scratch;
  const auto outcome_of = [&](const std::string& text) {
    return run(*executor_of(text, scratch, 1), {small_case(), small_case()})[1].outcome;
  };
  const Outcome unresolved =
      outcome_of("void no_such_function(void);\nvoid fp_conv_grad_filter_p(void) { no_such_function(); }");
  EXPECT_EQ(unresolved.status, Outcome::Status::not_run);
  EXPECT_THAT(unresolved.detail, HasSubstr("undefined symbol: no_such_function"));
  const std::string early = "\n__attribute__((constructor)) static void early(void)";
  const std::string head = std::string("#include <stdlib.h>\n#include <unistd.h>\n") + kPlain + early;
  const Outcome crashed = outcome_of(head + "{ abort(); }");
  EXPECT_EQ(crashed.status, Outcome::Status::crashed);
  EXPECT_EQ(crashed.detail, "crashed while its library was loaded");
  EXPECT_TRUE(crashed.raised);
  EXPECT_EQ(outcome_of(head + "{ _exit(0); }").status, Outcome::Status::exited);
}

}  // namespace
}  // namespace wgradcheck::check
