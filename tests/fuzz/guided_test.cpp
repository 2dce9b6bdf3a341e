#include "check/fuzz/guided.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/run/local_executor.hpp"
#include "check/search/session.hpp"
#include "tests/check/kernels.hpp"
#include "tests/optional.hpp"

namespace wgradcheck::check {
namespace {

/// A right kernel with an error behind a chain of conditions, none of which generated cases meet.
const std::string kHidden = private_kernel("", R"(
static int hidden(const ConvParameter *p) {
  if (p->kernel_h_ != 16) return 0;
  if (p->dilation_w_ != 16) return 0;
  if (p->stride_h_ != 16) return 0;
  return p->output_batch_ > 2;
}
)");

std::string with_error(const std::string& kernel) {
  const std::string loop = "  for (int i = 0; i < n_dw; ++i) {";
  std::string text = kernel;
  return text.insert(text.find(loop), "  if (hidden(p)) dw[0] += 1;\n");
}

std::unique_ptr<Executor> built(const std::string& source, const Scratch& scratch, bool coverage) {
  const std::string file = scratch.write("kernel.c", source);
  return local_executor(open_kernel({file}, "", "", {.coverage = coverage}, scratch.path()));
}

Plan plan_with(Source& source, std::int64_t cases) {
  Plan plan;
  plan.domain.abi = find_abi("mt7004_fp32_p");
  plan.cases = cases;
  plan.source = &source;
  plan.shrink = false;
  return plan;
}

TEST(Reached, TellsOfNewPlacesAloneAndAcrossWorkers) {
  const Scratch scratch;
  const auto executor = built(private_kernel("dw[0] += 0;"), scratch, true);
  const auto reaches = [&](const Case& c) { return run(*executor, {c})[0].outcome.reached_new; };
  EXPECT_TRUE(reaches(small_case()));
  EXPECT_FALSE(reaches(small_case()));
  executor->restart();
  EXPECT_FALSE(reaches(small_case()));
  EXPECT_TRUE(reaches(small_case(kBad)));
  EXPECT_FALSE(reaches(small_case(kBad)));
}

TEST(Reached, IsNotToldOfAKernelBuiltAsUsual) {
  const Scratch scratch;
  const auto executor = built(private_kernel(""), scratch, false);
  EXPECT_FALSE(run(*executor, {small_case()})[0].outcome.reached_new);
}

TEST(Guided, FindsWhatIsBehindAChainOfConditions) {
  constexpr std::int64_t kCases = 12000;
  const Scratch scratch;
  const auto executor = built(with_error(kHidden), scratch, true);
  Guided source(1, false);
  const Verdict v = check_kernel(*executor, nullptr, Promises(), plan_with(source, kCases), {});
  ASSERT_EQ(v.counterexamples.size(), 1U) << v.run;
  EXPECT_EQ(v.counterexamples[0].finding.property, Property::formula);
  EXPECT_GT(source.kept(), 10);
  // Where the kernel tells nothing, as many cases find nothing.
  const auto blind = built(with_error(kHidden), scratch, false);
  Guided unguided(1, false);
  EXPECT_TRUE(
      check_kernel(*blind, nullptr, Promises(), plan_with(unguided, kCases), {}).counterexamples.empty());
  EXPECT_EQ(unguided.kept(), 0);
}

TEST(Guided, KeepsItsCorpusInAFolder) {
  const Scratch scratch, folder;
  const auto executor = built(with_error(kHidden), scratch, true);
  Guided first(1, false);
  first.open(folder.path() + "/corpus");
  check_kernel(*executor, nullptr, Promises(), plan_with(first, 2000), {});
  const auto files = [&] {
    return std::distance(std::filesystem::directory_iterator(folder.path() + "/corpus"), {});
  };
  EXPECT_GT(files(), 10);
  EXPECT_LE(files(), first.kept());
  // What reached something new does so again in a process that knows nothing of it.
  const auto anew = built(with_error(kHidden), folder, true);
  Guided second(2, false);
  second.open(folder.path() + "/corpus");
  check_kernel(*anew, nullptr, Promises(), plan_with(second, files()), {});
  EXPECT_GT(second.kept(), files() / 2);
}

TEST(Guided, HandsOverInvalidParametersToWhatPromisesToRefuseThem) {
  WGRADCHECK_LONG();
  const Scratch scratch;
  const std::string refuses = "  if (p->kernel_h_ < 1 || p->kernel_w_ < 1 || p->group_ < 1) return;\n";
  std::string kernel = private_kernel("");
  kernel.insert(kernel.find("  const int co_n"), refuses);
  const auto executor = built(kernel, scratch, true);
  Promises promises;
  promises.make("refuses=yes");
  Guided source(1, true);
  Plan plan = plan_with(source, 2000);
  plan.shrink = true;
  const Verdict v = check_kernel(*executor, nullptr, promises, plan, {});
  ASSERT_FALSE(v.counterexamples.empty());
  EXPECT_GT(v.refused, 0);
  // As small as it gets: one field alone is wrong.
  EXPECT_EQ(std::popcount(v.counterexamples[0].trial.test.tamper.fields), 1);
}

}  // namespace
}  // namespace wgradcheck::check
