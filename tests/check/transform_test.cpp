#include <gtest/gtest.h>

#include "check/judge/number.hpp"
#include "tests/check/rounding.hpp"

namespace wgradcheck::check {
namespace {

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

TEST(Transform, ATransformIsHeldToItsOwnBoundWhereItIsPromised) {
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

TEST(Transform, ATransformThatIsPromisedGetsDataThatItSumsExactly) {
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

}  // namespace
}  // namespace wgradcheck::check
