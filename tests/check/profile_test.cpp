#include "check/profile/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "check/profile/promises_file.hpp"
#include "check/search/session.hpp"
#include "tests/check/host_kernels.hpp"
#include "tests/check/kernels.hpp"

namespace wgradcheck::check {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A kernel compiled from a file of tests/program/kernels, and what was learnt of it.
struct Learnt {
  Scratch scratch;
  std::unique_ptr<Executor> executor;
  Domain domain;
  Profile profile;

  Learnt(const std::string& file, const std::string& flags, std::vector<std::uint32_t> masks = {1}) {
    const std::string source = std::string(WGRADCHECK_SOURCE) + "/tests/program/kernels/" + file;
    const Kernel kernel = open_kernel({source}, "", "", {.flags = flags}, scratch.path());
    executor = local_executor(kernel);
    domain.abi = kernel.abi;
    domain.core_masks = std::move(masks);
  }
  Learnt& learn() {
    profile = learn_profile(*executor, domain);
    derive_promises(profile, domain);
    confirm_promises(*executor, domain, profile, 200);
    return *this;
  }
  /// What a check finds against these promises.
  Verdict check(const std::vector<std::string>& made, std::uint64_t seed, std::int64_t cases = 400) const {
    Promises promises;
    for (const std::string& promise : made) promises.make(promise);
    Plan plan;
    plan.domain = domain;
    keep_to(promises, plan.domain);
    plan.cases = cases;
    plan.seed = seed;
    plan.shrink = false;
    return check_kernel(*executor, nullptr, promises, plan, {});
  }
  const PathProfile& general() const { return profile.paths.front(); }
};

std::string what_failed(const Verdict& v) {
  return v.counterexamples.empty() ? "" : v.counterexamples.front().finding.detail;
}

/// A way of summing, by the macros of summed.c, and what is to be learnt of it.
struct Way {
  const char *name, *flags;
  std::vector<const char*> promises;
  const char* form = "";  ///< of the longest tree of the general path; empty: there is none
};

class EveryWay : public testing::TestWithParam<Way> {};

TEST_P(EveryWay, IsLearntAndItsPromisesAreKeptWhateverTheSeed) {
  const Way& way = GetParam();
  Learnt learnt("summed.c", way.flags);
  learnt.learn();
  for (const char* promise : way.promises) EXPECT_THAT(learnt.profile.promises, Contains(promise));
  const auto& form = learnt.general().trees.front().form;
  EXPECT_EQ(form ? form->words : "", way.form);
  for (const std::uint64_t seed : {11U, 12U, 13U}) {
    const Verdict v = learnt.check(learnt.profile.promises, seed);
    EXPECT_NE(v.answer, Verdict::Answer::fail) << what_failed(v);
    EXPECT_GE(v.run, 400);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Planted, EveryWay,
    testing::Values(
        Way{"Sequential", "", {"acc=f32", "rounding=nearest", "height=sequential", "splits=1"}, "sequential"},
        Way{"Reversed", "-DREVERSED", {"height=sequential", "splits=1"}, "reversed"},
        Way{"Pairwise", "-DPAIRWISE", {"acc=f32", "height=pairwise"}, "pairwise"},
        Way{"BlockedBy16", "-DBLOCKED=16", {"acc=f32", "height=blocked:16"}, "4 blocks of 16"},
        Way{"FourInterleaved", "-DLANES=4", {"height=split:4", "splits=4"}, "4 interleaved sums"},
        Way{"FourShares", "-DSHARES=4", {"height=split:4", "splits=4"}, "4 blocks of 16"},
        Way{"Double", "-DACC=double", {"acc=f64", "splits=1"}, "sequential"},
        Way{"Half", "-DHALF", {"acc=f32", "height=sequential"}, "sequential"},
        Way{"SumsInHalf", "-DHALF -DACC=float16", {"acc=f16", "height=sequential"}, "sequential"},
        Way{"HalfPartialsOfChunks",
            "-DHALF -DCHUNKED",
            {"acc=f32", "partials=f16", "splits=chunks", "height=chunks"},
            "sequential"},
        Way{"TowardZero", "-DTOWARD_ZERO -frounding-math", {"acc=f32", "rounding=directed"}, ""},
        Way{"OverreadBy12", "-DOVERREAD=12", {"read_slack=12", "align=4"}, "sequential"},
        Way{"AlignedTo16", "-DALIGNED", {"align=16", "read_slack=0"}, "sequential"}),
    [](const auto& param) { return param.param.name; });

/// A kernel and a worse one, by the macros of summed.c, and what the worse one breaks of the other's
/// promises.
struct Pair {
  const char *name, *better, *worse;
  Property shows;
  std::int64_t cases = 400;
};

class EveryPair : public testing::TestWithParam<Pair> {};

TEST_P(EveryPair, TheWorseKernelBreaksTheProfileOfTheBetterOne) {
  const auto& [name, better, worse, shows, cases] = GetParam();
  Learnt learnt("summed.c", better);
  const std::vector<std::string> promises = learnt.learn().profile.promises;
  const Learnt other("summed.c", worse);
  for (const std::uint64_t seed : {21U, 22U, 23U}) {
    const Verdict v = other.check(promises, seed, cases);
    ASSERT_EQ(v.answer, Verdict::Answer::fail);
    EXPECT_EQ(v.counterexamples.front().finding.property, shows) << what_failed(v);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Planted, EveryPair,
    testing::Values(Pair{"PairwiseAndSequential", "-DPAIRWISE", "", Property::rounding, 1200},
                    Pair{"BlockedAndSequential", "-DBLOCKED=16", "", Property::rounding, 1200},
                    Pair{"InterleavedAndReversed", "-DLANES=4", "-DREVERSED", Property::rounding, 3000},
                    Pair{"DoubleAndFloat", "-DACC=double", "", Property::rounding},
                    Pair{"RoundedOnceAndEachChunk", "-DHALF", "-DHALF -DCHUNKED", Property::formula},
                    Pair{"UnalignedAndAligned", "", "-DALIGNED", Property::memory},
                    Pair{"WithinAndBeyondItsBuffers", "", "-DOVERREAD=12", Property::memory}),
    [](const auto& param) { return param.param.name; });

TEST(Profile, FlushedSubnormalsAreLearnt) {
  Learnt learnt("flushes_subnormals.c", "");
  EXPECT_THAT(learnt.learn().profile.promises, Contains("subnormals=flush"));
  EXPECT_THAT(Learnt("right.c", "").learn().profile.promises, Contains("subnormals=keep"));
}

TEST(Profile, AnOrderThatChangesFromCallToCallIsSeenAndNoTreeIsClaimed) {
  Learnt learnt("order_changes.c", "");
  learnt.learn();
  EXPECT_EQ(learnt.general().repeats.repeats, false);
  EXPECT_THAT(learnt.profile.promises, Each(Not(StartsWith("repeat"))));
  EXPECT_THAT(learnt.profile.promises, Each(Not(StartsWith("height"))));
  EXPECT_THAT(learnt.profile.unpromised, Contains(HasSubstr("the order changes from call to call")));
}

TEST(Profile, TheSharesOfCoresAreSeenInTheTree) {
  Learnt learnt("shared.c", "", {1, 3});
  learnt.learn();
  EXPECT_THAT(learnt.profile.promises, Contains("splits=cores"));
  const auto& trees = learnt.general().trees;
  const auto shared = std::ranges::find_if(trees, [](const SeenTree& t) { return t.cores == 2; });
  ASSERT_NE(shared, trees.end());
  ASSERT_TRUE(shared->form);
  EXPECT_EQ(shared->form->parts, 2);
}

TEST(Profile, AHostKernelIsAskedForWhatItCanDo) {
  const Scratch scratch;
  const Kernel kernel = open_kernel({scratch.write("kernel.c", host_kernel(""))}, "", "", {}, scratch.path());
  const auto executor = local_executor(kernel);
  Domain domain;
  domain.abi = kernel.abi;
  domain.core_masks = {1, 3};
  Profile profile = learn_profile(*executor, domain);
  derive_promises(profile, domain);
  for (const char* promise : {"acc=f32", "height=sequential", "dw=overwrite", "splits=1"})
    EXPECT_THAT(profile.promises, Contains(promise));
}

TEST(Profile, TheOldValueIsALeafOfTheTree) {
  EXPECT_TRUE(Learnt("right.c", "").learn().general().trees.front().revealed.old_first);
  EXPECT_TRUE(Learnt("summed.c", "").learn().general().trees.front().revealed.old_last);
}

TEST(Profile, AnExecutorWithoutGuardPagesLeavesMemoryOpen) {
  class Blind : public Executor {
   public:
    explicit Blind(Executor& executor) : executor_(executor) {}
    Capabilities capabilities() const override { return {.guard_pages = false, .batch = 8}; }
    void run(std::span<const Case> cases, const Prepare& prepare, const Done& done) override {
      executor_.run(cases, prepare, done);
    }

   private:
    Executor& executor_;
  };
  Learnt learnt("right.c", "");
  Blind blind(*learnt.executor);
  Profile profile = learn_profile(blind, learnt.domain);
  derive_promises(profile, learnt.domain);
  EXPECT_THAT(profile.promises, Each(Not(StartsWith("align"))));
  EXPECT_THAT(profile.unpromised, Contains(HasSubstr("cannot guard pages")));
}

TEST(PromisesFile, IsReadBackAsItWasWritten) {
  const Scratch scratch;
  const std::vector<std::string> promises{"acc=f32", "height=split:4", "repeat=bits"};
  const std::vector<std::string> remarks{"of a kernel", "not promised: align"};
  EXPECT_EQ(read_promises(scratch.write("p", promises_text(remarks, promises))), promises);
  EXPECT_EQ(read_promises(scratch.write("q", "\n  acc=f32 # in float\r\n#\n")),
            std::vector<std::string>{"acc=f32"});
}

TEST(PromisesFile, IsRefusedByNameAndLine) {
  const Scratch scratch;
  const auto error = [&](const std::string& text) {
    try {
      read_promises(scratch.write("p", text));
      return std::string("accepted");
    } catch (const BadInput& bad) {
      return bad.sentence.substr(scratch.path().size() + 1);
    }
  };
  EXPECT_THAT(error("# one\nfast=yes\n"), StartsWith("p:2: fast=yes: unknown promise 'fast'; known: acc"));
  EXPECT_THAT(error("acc=f33"), StartsWith("p:1: acc=f33: acc must be f64 or"));
  EXPECT_EQ(error("acc=f32\n\nacc=f16\n"), "p:3: acc=f16: line 1 promises acc too");
  EXPECT_THAT(error("acc f32"), StartsWith("p:1: acc f32: unknown promise"));
}

}  // namespace
}  // namespace wgradcheck::check
