#include "check/profile/tree.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "check/profile/form.hpp"
#include "tests/check/adders.hpp"

namespace wgradcheck::check {
namespace {

using testing::HasSubstr;

/// A tree over some products, as brackets and as a sum. The first product stands left.
struct Planted {
  std::string text;
  std::function<float(const std::vector<Product>&)> sum;
};

Planted planted(const std::vector<int>& leaves, std::mt19937& random) {
  if (leaves.size() == 1) {
    const auto at = static_cast<std::size_t>(leaves.front());
    return {std::to_string(at), [at](const std::vector<Product>& p) { return p[at].dy * p[at].x; }};
  }
  std::vector<int> left{leaves.front()}, right;
  for (std::size_t i = 1; i < leaves.size(); ++i) (random() % 3 ? left : right).push_back(leaves[i]);
  if (right.empty()) {
    right.push_back(left.back());
    left.pop_back();
  }
  const Planted a = planted(left, random), b = planted(right, random);
  return {fmt::format("({}+{})", a.text, b.text),
          [a, b](const std::vector<Product>& p) { return a.sum(p) + b.sum(p); }};
}

Revealed reveal_of(const Adder& add, DType t, std::int64_t terms) {
  FakeExecutor executor([&add](const Case& c, const Tensors& to) { return compute(c, to, add); });
  Domain domain;
  domain.abi = find_abi(t == DType::f32 ? "mt7004_fp32_p" : t == DType::f16 ? "mt7004_fp16_p" : "host_bf16");
  const Probe probe(executor, domain);
  return reveal(probe, line_of(probe, {.terms = terms}), false);
}

TEST(Tree, OfAnyShapeIsRevealedAsItIs) {
  std::mt19937 random(1);
  for (const DType t : {DType::f32, DType::f16, DType::bf16})
    for (const int terms : {2, 3, 7, 20, 64})
      for (int repeat = 0; repeat < 4; ++repeat) {
        std::vector<int> leaves(static_cast<std::size_t>(terms));
        std::iota(leaves.begin(), leaves.end(), 0);
        const Planted tree = planted(leaves, random);
        const Revealed r = reveal_of(
            [&](float, const std::vector<Product>& products) {
              // Of the other tap, which has the same products a pixel further, nothing is asked.
              return tree.sum(products);
            },
            t, terms);
        EXPECT_EQ(r.text, tree.text) << r.why;
      }
}

TEST(Tree, AnAdditionOfFourAtOnceIsNoBinaryTree) {
  const Revealed r = reveal_of(
      [](float, const std::vector<Product>& products) {
        float sum = 0;
        for (std::size_t at = 0; at < products.size(); at += 4) {
          // As wide as the masks, so that the four are rounded once.
          long double four = static_cast<long double>(sum);
          for (std::size_t i = at; i < std::min(at + 4, products.size()); ++i)
            four += static_cast<long double>(products[i].dy) * static_cast<long double>(products[i].x);
          sum = static_cast<float>(four);
        }
        return sum;
      },
      DType::f16, 16);
  EXPECT_FALSE(r.tree);
  EXPECT_THAT(r.why, HasSubstr("no addition of two"));
}

TEST(Tree, ASumThatKeepsLargeProductsApartHasNone) {
  const Revealed r = reveal_of(
      [](float, const std::vector<Product>& products) {
        double small = 0, large = 0;
        for (const Product& p : products) {
          const double product = static_cast<double>(p.dy) * static_cast<double>(p.x);
          (std::abs(product) > 0x1p100 ? large : small) += product;
        }
        return large + small;
      },
      DType::f32, 8);
  EXPECT_FALSE(r.tree);
}

TEST(Tree, ItsFormIsNamed) {
  const auto form = [](std::size_t terms, auto&& build) {
    SumTree t;
    std::vector<int> leaves;
    for (std::size_t i = 0; i < terms; ++i) leaves.push_back(t.add_leaf(static_cast<int>(i)));
    t.set_root(build(t, leaves));
    return form_of(t);
  };
  const auto chain = [](SumTree& t, const std::vector<int>& nodes) {
    int sum = nodes.front();
    for (std::size_t i = 1; i < nodes.size(); ++i) sum = t.add_node(sum, nodes[i]);
    return sum;
  };
  EXPECT_EQ(form(9, chain).words, "sequential");
  EXPECT_EQ(form(9,
                 [&](SumTree& t, std::vector<int> nodes) {
                   std::ranges::reverse(nodes);
                   return chain(t, nodes);
                 })
                .words,
            "reversed");
  const Form blocks = form(22, [&](SumTree& t, const std::vector<int>& nodes) {
    std::vector<int> sums;
    for (std::size_t at = 0; at < nodes.size(); at += 8)
      sums.push_back(chain(t, {nodes.begin() + static_cast<std::ptrdiff_t>(at),
                               nodes.begin() + static_cast<std::ptrdiff_t>(std::min(at + 8, nodes.size()))}));
    return chain(t, sums);
  });
  EXPECT_EQ(blocks.words, "3 blocks of 8");
  EXPECT_EQ(blocks.height, 7 + 2);
  EXPECT_EQ(blocks.heights, std::vector<Height>{(Height{Height::Kind::blocked, 8})});
}

}  // namespace
}  // namespace wgradcheck::check
