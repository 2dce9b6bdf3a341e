#include <gtest/gtest.h>

#include <vector>

#include "spec/wgrad.hpp"

namespace wgradcheck::spec {
namespace {

/// dW of a one-channel, one-image 2D shape, taps in row order.
std::vector<std::int64_t> wgrad(const Shape& s, const std::vector<int>& dy, const std::vector<int>& x) {
  std::vector<std::int64_t> dw;
  for (std::int64_t i = 0; i < dw_elems(s); ++i)
    dw.push_back(element<std::int64_t>(s, element_at(s, i), std::span(dy), std::span(x)).value);
  return dw;
}

const std::vector<int> kOneToNine{1, 2, 3, 4, 5, 6, 7, 8, 9};

TEST(Golden, TwoByTwoTapsWithoutPadding) {
  const Shape s{1, 1, 1, 1, kNoAxis, {3, 2, 2, 1, 1, 0}, {3, 2, 2, 1, 1, 0}};
  EXPECT_EQ(wgrad(s, {1, 2, 3, 4}, kOneToNine), (std::vector<std::int64_t>{37, 47, 67, 77}));
}

TEST(Golden, PaddingAboveAndLeftOnly) {
  const Shape s{1, 1, 1, 1, kNoAxis, {3, 3, 2, 1, 1, 1}, {3, 3, 2, 1, 1, 1}};
  EXPECT_EQ(wgrad(s, std::vector<int>(9, 1), kOneToNine), (std::vector<std::int64_t>{12, 21, 27, 45}));
}

}  // namespace
}  // namespace wgradcheck::spec
