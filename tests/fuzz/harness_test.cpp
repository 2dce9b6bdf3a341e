#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/fuzz/mutate.hpp"
#include "fuzz/calls.hpp"
#include "fuzz/cases.hpp"
#include "fuzz/texts.hpp"
#include "fuzz/tilings.hpp"
#include "spec/problem_line.hpp"
#include "tests/check/kernels.hpp"

namespace wgradcheck::fuzz {
namespace {

using testing::HasSubstr;

check::Kernel compiled(const std::string& source, const check::Scratch& scratch) {
  return check::open_kernel({scratch.write("kernel.c", source)}, "", "", {}, scratch.path());
}

check::Kernel of_the_tests(const std::string& name, const check::Scratch& scratch) {
  return check::open_kernel({std::string(WGRADCHECK_SOURCE) + "/tests/program/kernels/" + name}, "", "", {},
                            scratch.path());
}

/// The first fault in so many changes of a case, or empty.
std::string fault_in(Cases& cases, int changes) {
  check::Dice dice(1);
  std::string bytes, fault;
  for (int i = 0; i < changes && fault.empty(); ++i)
    fault = cases.fault_of(bytes = check::mutated_genes(bytes, {}, dice));
  return fault;
}

std::string fault_in(Calls& calls, int changes) {
  check::Dice dice(1);
  check::RawCall raw;
  std::string fault;
  for (int i = 0; i < changes && fault.empty(); ++i)
    fault = calls.fault_of(bytes_of(raw = check::mutated(raw, dice)));
  return fault;
}

TEST(CasesHarness, FindsNoFaultInTheBundledTargets) {
  Cases cases(own_targets());
  EXPECT_EQ(fault_in(cases, 200), "");
  EXPECT_EQ(cases.runs() + cases.outside(), 12 * 200);
  EXPECT_GT(cases.runs(), 11 * 200);
}

TEST(CasesHarness, FindsAWrongKernel) {
  const check::Scratch scratch;
  Cases cases({of_the_tests("dilation_h_left_out.c", scratch)});
  EXPECT_THAT(fault_in(cases, 2000), HasSubstr("formula, "));
}

TEST(CasesHarness, FindsAWriteBeyondABuffer) {
  const check::Scratch scratch;
  Cases cases({compiled(check::private_kernel("", "") + "\n", scratch)});
  // Right but for its bias, which it does not add.
  EXPECT_THAT(fault_in(cases, 2000), HasSubstr("formula, "));
  EXPECT_DEATH(
      {
        Cases strays(
            {compiled("void fp_conv_grad_filter_p(float *dy, float *x, float *dw, float *b, void *p) { dw[1 "
                      "<< 14] = 1; }",
                      scratch)});
        fault_in(strays, 100);
      },
      "");
}

TEST(CallsHarness, FindsNoFaultInTheBundledTargets) {
  Calls calls(targets_that_refuse());
  EXPECT_EQ(fault_in(calls, 4000), "");
  EXPECT_GT(calls.refused(), 1000);
  EXPECT_GT(calls.run(), 20);
  EXPECT_GE(calls.planned(), 1);
}

TEST(CallsHarness, FindsAKernelThatDoesNotRefuse) {
  const check::Scratch scratch;
  EXPECT_DEATH(
      {
        Calls calls({of_the_tests("right.c", scratch)});
        fault_in(calls, 40000);
      },
      "");
}

TEST(CallsHarness, FindsAWrongReasonAndAChangedParameter) {
  const check::Scratch scratch;
  const std::string head = check::kParameterText + R"(
    static const char *error;
    const char *conv_grad_filter_last_error(void) { return error; }
    const char *conv_grad_filter_last_path(void) { return 0; }
    long required_workspace_bytes(const ConvParameter *p, int cores, int bytes) { return -1; }
    void fp_conv_grad_filter_p(float *dy, float *x, float *dw, float *bias, ConvParameter *p) {)";
  Calls silent({compiled(head + " error = 0; }", scratch)});
  EXPECT_THAT(silent.fault_of(""), HasSubstr("did not refuse a call for its output_batch_"));
  Calls vague({compiled(head + " error = \"no\"; }", scratch)});
  EXPECT_THAT(vague.fault_of(""), HasSubstr("said \"no\" of a call with a wrong output_batch_"));
  Calls writes({compiled(head + " p->group_ = 1; }", scratch)});
  EXPECT_THAT(writes.fault_of(""), HasSubstr("changed the parameter"));
  Calls right({compiled(head + " error = \"output_batch_ is 0\"; }", scratch)});
  EXPECT_EQ(right.fault_of(""), "");
}

TEST(TextsHarness, FindsNoFaultInTheReaders) {
  check::Dice dice(1);
  for (const TextKind& kind : text_kinds()) {
    std::string text = kind.sample;
    for (int i = 0; i < 2000; ++i) {
      EXPECT_EQ(kind.fault_of(text), "") << kind.name << ": " << text;
      text = mutated_text(i % 8 == 0 ? kind.sample : text, kind.sample, dice);
    }
  }
}

TEST(TextsHarness, FindsReadersAndWritersThatDisagree) {
  const auto read = [](const std::string& text) { return text; };
  EXPECT_EQ(round_trip("a", read, read), "");
  EXPECT_THAT(round_trip("a", read, [](const std::string& text) { return text + "b"; }),
              HasSubstr("which reads back as"));
  const auto picky = [](const std::string& text) {
    if (text.size() > 1) throw check::BadInput{"too long"};
    return text;
  };
  EXPECT_EQ(round_trip("aa", picky, read), "");
  EXPECT_THAT(round_trip("a", picky, [](const std::string& text) { return text + "b"; }),
              HasSubstr("which is refused: too long"));
  const auto silent = [](const std::string&) -> std::string { throw check::BadInput{""}; };
  EXPECT_EQ(round_trip("a", silent, read), "refused without a sentence");
}

TEST(TilingsHarness, FindsNoFaultInTheTiling) {
  check::Dice dice(1);
  TilingQuestion usual{
      {2, 40, 20, 3, 14, 14, 3, 14, 14, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 524288}};
  int tiled = 0;
  for (int i = 0; i < 20000; ++i) {
    TilingQuestion q = usual;
    for (std::uint64_t k = dice.below(6); k > 0; --k) mutate(q, dice);
    EXPECT_EQ(fault_of_tiling(documented_tiler, q), "");
    Conv3DBackpropFilterTilingData data;
    tiled += documented_tiler(q, data) == 0;
  }
  EXPECT_GT(tiled, 2000);
}

TEST(TilingsHarness, FindsEachWrongAnswer) {
  const TilingQuestion usual{
      {2, 40, 20, 3, 14, 14, 3, 14, 14, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 524288}};
  using Data = Conv3DBackpropFilterTilingData;
  const auto fault_with = [&usual](auto spoil) {
    return fault_of_tiling(
        [&spoil](const TilingQuestion& q, Data& data) {
          const std::int64_t answer = documented_tiler(q, data);
          spoil(data);
          return answer;
        },
        usual);
  };
  EXPECT_EQ(fault_with([](Data&) {}), "");
  EXPECT_EQ(fault_with([](Data& d) { d.dwTiling.baseM = 24; }), "baseM is 24");
  EXPECT_THAT(fault_with([](Data& d) { d.dwTiling.baseK *= 64; }), HasSubstr("A in L0 takes"));
  EXPECT_THAT(fault_with([](Data& d) { d.dwTiling.bl1Bound = 1 << 20; }), HasSubstr("L1 takes"));
  EXPECT_EQ(fault_with([](Data& d) { d.dwTiling.stepKa = 0; }), "stepKa is 0");
  EXPECT_EQ(fault_with([](Data& d) { d.basicBlockTiling.singleCoreN = 16; }), "singleCoreN is 16");
  const auto spoils = [](const TilingQuestion&, Data& data) {
    data.dwTiling.batch = 1;
    return std::int64_t{-1};
  };
  EXPECT_EQ(fault_of_tiling(spoils, usual), "a refusal changed the struct");
  const auto odd = [](const TilingQuestion&, Data&) { return std::int64_t{-2}; };
  EXPECT_EQ(fault_of_tiling(odd, usual), "the answer is -2, neither 0 nor -1");
}

}  // namespace
}  // namespace wgradcheck::fuzz
