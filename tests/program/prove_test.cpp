#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/optional.hpp"
#include "tests/program/program.hpp"
#include "tests/structure/shell.hpp"

/// `wgradcheck prove` on a loop nest of a user's.
namespace wgradcheck {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// The nest that the tests bring, with a part replaced, in a folder of its own.
class Nest {
 public:
  explicit Nest(const std::string& part = "", const std::string& by = "") {
    std::string text = text_of(WGRADCHECK_SOURCE "/tests/program/schedules/by_pixels.hpp");
    const auto at = text.find(part);
    if (at == std::string::npos) throw std::runtime_error("the nest has no " + part);
    folder_.write("mine.hpp", text.replace(at, part.size(), by));
  }

  Ran prove(const std::string& options = "") const {
    return run_program("prove " + folder_.word("mine.hpp") + " " + options);
  }

 private:
  tests::Scratch folder_;
};

TEST(ProveANest, ProvesTheUsersOwn) {
  WGRADCHECK_LONG();
  const Ran ran = Nest().prove();
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("mine.stage_1_reads"), HasSubstr("mine.product_1_of_stage_1_every"),
                              HasSubstr("8 obligations: 8 proved, all as expected")));
}

TEST(ProveANest, RefutesOneThatForgetsTheDilationByAWitness) {
  WGRADCHECK_LONG();
  const Ran ran = Nest("spec::input_at(s.height, oh, kh)", "oh * s.height.stride + kh - s.height.pad_before")
                      .prove("--only stage_1_reads --timeout 100");
  EXPECT_EQ(ran.status, 1) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("mine.stage_1_reads"), HasSubstr("refuted"), HasSubstr("dh1")));
}

/// A kernel of the tests' as a shared object, in quotes.
std::string compiled(const std::string& source) {
  const std::string object = temporary("mine.so");
  EXPECT_EQ(
      tests::sh("cc -shared -fPIC -O1 -include " WGRADCHECK_SOURCE "/targets/include/conv_grad_filter.h " +
                kernel(source) + " -o " + object)
          .status,
      0);
  return object;
}

TEST(ProveANest, ComparesItsProductsWithThoseOfACompiledKernel) {
  WGRADCHECK_LONG();
  const Nest nest;
  const Ran ran = nest.prove("--only stage_1_apart --kernel " + compiled("right.c"));
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text,
              ContainsRegex("mine.so uses the nest's products, [0-9]+ on 1920 shapes, and no others"));
}

TEST(ProveANest, TellsTheShapeAndTheProductOfAKernelThatDiffers) {
  WGRADCHECK_LONG();
  const Nest nest;
  const Ran ran = nest.prove("--only stage_1_apart --kernel " + compiled("dilation_h_left_out.c"));
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.text,
              AllOf(HasSubstr("mine.so uses other products than the nest, first on\n  "), HasSubstr("dh1"),
                    HasSubstr("dW[g0]"), HasSubstr(" * x[n"), HasSubstr("times by the kernel")));
}

TEST(ProveANest, RefusesAKernelThatIsNone) {
  WGRADCHECK_LONG();
  const Ran none = Nest().prove("--kernel /no/such/kernel.so");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.text, HasSubstr("/no/such/kernel.so"));
  EXPECT_EQ(run_program("prove chunks --kernel mt7004_fp32_p").status, 2);
}

TEST(ProveANest, TellsWhatIsNoSchedule) {
  WGRADCHECK_LONG();
  const Ran ran = Nest("env.product(",
                       "env.product(first, length(b.rows), length(channels), Int(1), dy, "
                       "length(channels), zero);\n env.product(")
                      .prove();
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.text, HasSubstr("mine is no schedule: products are added twice"));
}

TEST(ProveANest, SaysWhyOneDoesNotCompile) {
  const Ran ran = Nest("env.loop(b.images", "env.loops(b.images").prove();
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.text, AllOf(HasSubstr("mine.hpp does not compile: "), HasSubstr("error: ")));
}

TEST(ProveANest, SaysWhatTheLinkerLacks) {
  WGRADCHECK_LONG();
  const Ran ran =
      Nest("struct Schedule", "int lacking();\nstatic const int kLacking = lacking();\nstruct Schedule")
          .prove();
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.text,
              AllOf(HasSubstr("mine.hpp does not link: "), HasSubstr("undefined reference to `lacking()'")));
}

TEST(ProveANest, RefusesAnOwnerOfTooFewChoices) {
  WGRADCHECK_LONG();
  const Ran ran = Nest("{t.n, t.kh, t.kw, t.oh, t.ow}", "{t.n, t.kh, t.kw}").prove();
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.text, "wgradcheck: mine: owner gives 3 choices, but 5 lead to product_1_of_stage_1\n");
}

TEST(ProveANest, NamesItsObligationsWhereNoneIsOfThatName) {
  WGRADCHECK_LONG();
  const Ran ran = Nest().prove("--only nothing");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.text, HasSubstr("name contains; the names are mine."));
}

TEST(Prove, ExplainsARefutedClaimByItsWitness) {
  const Ran ran = run_program("prove --explain chunks.suggested_2048");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("\n    rests on: the witness\n"), Not(HasSubstr("\n\n\n"))));
}

TEST(ProveANest, RefusesToPickAmongItsObligationsWhereThereIsNone) {
  const Ran ran = run_program("prove chunks --only chunks.at_least_1");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(
      ran.text,
      "wgradcheck: --only is chunks.at_least_1, but PATTERN is no header with a loop nest of your own\n");
}

TEST(ProveANest, SaysThatTheCompilerCannotBeRun) {
  setenv("CXX", "/no/such/compiler", 1);
  const Ran ran = Nest().prove();
  unsetenv("CXX");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.text, HasSubstr("CXX is /no/such/compiler, which cannot be run"));
}

}  // namespace
}  // namespace wgradcheck
