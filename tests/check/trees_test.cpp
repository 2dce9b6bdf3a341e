#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "check/judge/rounding.hpp"
#include "tests/check/adders.hpp"

namespace wgradcheck::check {
namespace {

/// Products added by halves, in blocks, in interleaved sums, and the height that each keeps.
struct Tree {
  const char* height;
  Adder add;
};

float in_blocks(std::size_t size, const std::vector<Product>& products) {
  float sum = 0;
  for (std::size_t at = 0; at < products.size(); at += size) {
    const auto first = products.begin() + static_cast<std::ptrdiff_t>(at);
    sum += forward(0, {first, first + static_cast<std::ptrdiff_t>(std::min(size, products.size() - at))});
  }
  return sum;
}

float interleaved(std::size_t count, const std::vector<Product>& products) {
  std::vector<float> sums(count);
  for (std::size_t i = 0; i < products.size(); ++i) sums[i % count] += products[i].dy * products[i].x;
  float sum = 0;
  for (const float one : sums) sum += one;
  return sum;
}

const std::vector<Tree>& trees() {
  static const std::vector<Tree> all{
      {"height=pairwise",
       [](float old, const std::vector<Product>& p) { return old + pairwise(p.data(), p.size()); }},
      {"height=blocked:16", [](float old, const std::vector<Product>& p) { return old + in_blocks(16, p); }},
      {"height=split:4", [](float old, const std::vector<Product>& p) { return old + interleaved(4, p); }},
      {"height=sequential", forward}};
  return all;
}

Ruling judge_tree(const Adder& add, std::int64_t extent, const char* height, std::uint64_t seed, int masked) {
  const auto kernel = [&add](const Case& c, const Tensors& to) { return compute(c, to, add); };
  return judge_rounding(kernel, small(extent), DType::f32, seed, {"acc=f32", height}, true, masked);
}

TEST(Trees, ATreeNoHigherThanPromisedIsNeverBlamed) {
  for (const Tree& tree : trees())
    for (std::uint64_t seed = 1; seed <= 60; ++seed)
      for (const std::int64_t extent : {1, 3, 17})
        for (const int masked : {0, 24}) {
          const Ruling r = judge_tree(tree.add, extent, tree.height, seed, masked);
          EXPECT_TRUE(r.findings.empty()) << tree.height << ": " << r.findings.front().detail;
        }
}

TEST(Trees, OneRunningSumIsBlamedWhereALowerTreeIsPromised) {
  // The nearer the promise is to one running sum, the fewer data show the difference.
  for (const auto& [height, least] : {std::pair{"height=pairwise", 20},
                                      {"height=20", 20},
                                      {"height=blocked:16", 10},
                                      {"height=split:4", 1}}) {
    int blamed = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed)
      blamed += !judge_tree(forward, 33, height, seed, 24).findings.empty();
    EXPECT_GE(blamed, least) << height;
  }
}

TEST(Trees, MaskedDataShowTheTreeOf16BitKernelsWhateverTheirSumsAreIn) {
  for (const auto& [type, acc, bits] :
       {std::tuple{DType::f16, "acc=f32", 24}, {DType::bf16, "acc=f32", 24}, {DType::f16, "acc=f16", 11}}) {
    const auto sums = [narrow = bits == 11](float old, const std::vector<Product>& products) {
      for (const Product& p : products) old = narrow ? as_f16(old + as_f16(p.dy * p.x)) : old + p.dy * p.x;
      return old;
    };
    int blamed = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const auto kernel = [&](const Case& c, const Tensors& to) { return compute(c, to, sums); };
      const Ruling right =
          judge_rounding(kernel, small(17), type, seed, {acc, "height=sequential"}, true, bits);
      EXPECT_TRUE(right.findings.empty()) << right.findings.front().detail;
      blamed += !judge_rounding(kernel, small(17), type, seed, {acc, "height=pairwise"}, true, bits)
                     .findings.empty();
    }
    EXPECT_GE(blamed, 8) << acc;
  }
}

TEST(Trees, PartialsInANarrowerTypeAreAllowedAsManyAsArePromised) {
  const auto partials = [](float old, const std::vector<Product>& products) {
    const std::size_t share = (products.size() + 3) / 4;
    for (std::size_t at = 0; at < products.size(); at += share) {
      const auto first = products.begin() + static_cast<std::ptrdiff_t>(at);
      old = as_f16(old + forward(0, {first, first + static_cast<std::ptrdiff_t>(
                                                        std::min(share, products.size() - at))}));
    }
    return old;
  };
  int blamed = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto kernel = [&](const Case& c, const Tensors& to) { return compute(c, to, partials); };
    for (const bool rounds : {true, false}) {
      const Ruling right = judge_rounding(kernel, small(17), DType::f16, seed,
                                          {"acc=f32", "partials=f16", "splits=4"}, rounds);
      EXPECT_TRUE(right.findings.empty()) << right.findings.front().detail;
    }
    blamed += !judge_rounding(kernel, small(17), DType::f16, seed, {"acc=f32"}).findings.empty();
  }
  EXPECT_GT(blamed, 0);
}

}  // namespace
}  // namespace wgradcheck::check
