#include "check/judge/rounding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "tests/check/adders.hpp"

namespace wgradcheck::check {
namespace {

/// W. Kahan's compensated sum.
float compensated(float old, const std::vector<Product>& products) {
  volatile float lost = 0;
  for (const Product& p : products) {
    const volatile float term = p.dy * p.x - lost, next = old + term;
    lost = (next - old) - term;
    old = next;
  }
  return old;
}

struct Way {
  const char* name;
  Adder add;
};

const std::vector<Way>& right_ways() {
  static const std::vector<Way> all{
      {"forward", forward},
      {"backward",
       [](float old, std::vector<Product> products) {
         std::ranges::reverse(products);
         return forward(old, products);
       }},
      {"smallest first",
       [](float old, std::vector<Product> products) {
         std::ranges::sort(products, {}, [](const Product& p) { return std::abs(p.dy * p.x); });
         return forward(0, products) + old;
       }},
      {"largest first",
       [](float old, std::vector<Product> products) {
         std::ranges::sort(products, std::greater(), [](const Product& p) { return std::abs(p.dy * p.x); });
         return forward(old, products);
       }},
      {"pairwise",
       [](float old, const std::vector<Product>& products) {
         return old + pairwise(products.data(), products.size());
       }},
      {"fused",
       [](float old, const std::vector<Product>& products) {
         for (const Product& p : products) old = std::fma(p.dy, p.x, old);
         return old;
       }},
      {"compensated", compensated},
      {"double", [](float old, const std::vector<Product>& products) {
         double sum = old;
         for (const Product& p : products) sum += static_cast<double>(p.dy) * static_cast<double>(p.x);
         return sum;
       }}};
  return all;
}

TEST(Rounding, NoRightKernelIsBlamedWhateverItsOrderAndPrecision) {
  for (const Way& way : right_ways())
    for (const DType t : {DType::f32, DType::f16, DType::bf16})
      for (std::uint64_t seed = 1; seed <= 8; ++seed)
        for (const std::int64_t extent : {1, 2, 5, 17}) {
          const Ruling r =
              judge_rounding([&](const Case& c, const Tensors& to) { return compute(c, to, way.add); },
                             small(extent), t, seed, {"acc=f32", "algorithm=direct"});
          EXPECT_TRUE(r.findings.empty()) << way.name << ": " << r.findings.front().detail;
          ASSERT_TRUE(r.rounding);
          EXPECT_LE(*r.rounding, 1) << way.name;
        }
}

TEST(Rounding, AnAccumulatorNarrowerThanPromisedIsBlamed) {
  for (const DType t : {DType::f32, DType::f16})
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      for (const auto narrow : {as_f16, as_bf16}) {
        if (t == DType::f16 && narrow == as_f16) continue;  // the last rounding hides it; exact data do not
        const auto add = [narrow](float old, const std::vector<Product>& products) {
          for (const Product& p : products) old = narrow(old + p.dy * p.x);
          return old;
        };
        const Ruling r = judge_rounding([&](const Case& c, const Tensors& to) { return compute(c, to, add); },
                                        small(17), t, seed, {"acc=f32", "algorithm=direct"});
        ASSERT_EQ(r.findings.size(), 1U);
        EXPECT_EQ(r.findings.front().property, Property::rounding);
        EXPECT_TRUE(r.findings.front().counterexample);
        EXPECT_GT(r.rounding.value_or(0), 1);
      }
}

/// Three taps from rows of two positions by Winograd's F(2,3) with the points 0, 1, -1 and infinity.
Outcome winograd(const Case& c, const Tensors& t) {
  const auto at = [&](std::span<const std::byte> tensor, std::int64_t i) {
    return static_cast<float>(load(c.dtype, tensor, i));
  };
  float m[4] = {};
  for (std::int64_t n = 0; n < c.shape.batch; ++n) {
    const float d0 = at(t.dy, 2 * n), d1 = at(t.dy, 2 * n + 1);
    const float x0 = at(t.x, 4 * n), x1 = at(t.x, 4 * n + 1), x2 = at(t.x, 4 * n + 2),
                x3 = at(t.x, 4 * n + 3);
    m[0] += d0 * (x0 - x2);
    m[1] += (d0 + d1) / 2 * (x1 + x2);
    m[2] += (d0 - d1) / 2 * (x2 - x1);
    m[3] += d1 * (x3 - x1);
  }
  const float taps[3] = {m[0] + m[1] + m[2], m[1] - m[2], m[1] + m[2] + m[3]};
  for (std::int64_t i = 0; i < 3; ++i) store(c.dtype, t.dw, i, static_cast<double>(taps[i]));
  return returned();
}

TEST(Rounding, ATransformIsHeldToItsOwnBoundWhereItIsPromised) {
  const spec::Shape row{1, 1, 1, 1, spec::kNoAxis, spec::kNoAxis, {4, 2, 3, 1, 1, 0}};
  int beyond_direct = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const Ruling promised =
        judge_rounding(winograd, row, DType::f32, seed, {"dw=overwrite", "algorithm=transform"});
    EXPECT_TRUE(promised.findings.empty());
    const Ruling direct =
        judge_rounding(winograd, row, DType::f32, seed, {"dw=overwrite", "algorithm=direct"});
    const Ruling silent = judge_rounding(winograd, row, DType::f32, seed, {"dw=overwrite"});
    ASSERT_EQ(direct.findings.size(), silent.findings.size());
    if (direct.findings.empty()) continue;
    ++beyond_direct;
    EXPECT_TRUE(direct.findings.front().counterexample);
    // Of a kernel that promised neither, it is a note.
    EXPECT_FALSE(silent.findings.front().counterexample);
  }
  EXPECT_GT(beyond_direct, 5);
}

TEST(Rounding, ATransformThatIsPromisedGetsDataThatItSumsExactly) {
  const spec::Shape rows{2, 1, 1, 1, spec::kNoAxis, spec::kNoAxis, {4, 2, 3, 1, 1, 0}};
  const auto is_right = [&](const char* algorithm, std::uint64_t seed) {
    return judge_rounding(winograd, rows, DType::f32, seed, {"dw=overwrite", algorithm}, false)
        .findings.empty();
  };
  int inexact = 0;
  for (std::uint64_t seed = 1; seed <= 20000; ++seed) {
    ASSERT_TRUE(is_right("algorithm=transform", seed)) << seed;
    inexact += !is_right("algorithm=direct", seed);
  }
  EXPECT_GT(inexact, 0);
}

TEST(Rounding, AnIntegerWithinTheErrorOfPromisedFourierTransformsIsTakenForIt) {
  const Case c{.shape = small(3)};
  const Data data = make_data(c, {.exact_bits = 10});
  const auto settled = [&](double value, const char* algorithm) {
    Promises promises;
    promises.make(algorithm);
    std::vector<std::byte> dw(static_cast<std::size_t>(bytes_of(c, BufferId::dw)));
    store(c.dtype, dw, 0, value);
    settle(c, data, promises, dw);
    return load(c.dtype, dw, 0);
  };
  EXPECT_EQ(settled(7 + 0x1p-16, "algorithm=fft"), 7);
  EXPECT_EQ(settled(7.5, "algorithm=fft"), 7.5);
  EXPECT_TRUE(std::isnan(settled(NAN, "algorithm=fft")));
  EXPECT_EQ(settled(7 + 0x1p-16, "algorithm=transform"), 7 + 0x1p-16);
  EXPECT_EQ(settled(7 + 0x1p-16, "algorithm=direct"), 7 + 0x1p-16);
}

TEST(Rounding, ATransformInFewBitsStillHasRoomForItsSums) {
  for (const auto& [algorithm, acc] : {std::pair{"algorithm=transform", "acc=f32"},
                                       {"algorithm=transform", "acc=f16"},
                                       {"algorithm=transform", "acc=bf16"},
                                       {"algorithm=fft", "acc=f16"}}) {
    Promises promises;
    promises.make(algorithm);
    promises.make(acc);
    for (int bits = 7; bits <= 24; ++bits) {
      const Fill fill = fill_for({.exact_bits = bits}, promises);
      EXPECT_GT(fill.exact_bits, 1) << acc << bits;
      EXPECT_NO_FATAL_FAILURE(make_data({.shape = small(5)}, fill));
    }
  }
}

}  // namespace
}  // namespace wgradcheck::check
