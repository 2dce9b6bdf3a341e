#include "check/judge/rounding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "check/judge/number.hpp"
#include "spec/wgrad.hpp"
#include "tests/check/defects.hpp"
#include "tests/check/rounding.hpp"

namespace wgradcheck::check {
namespace {

struct Product {
  float dy, x;
};
/// A sum of an old value and products, in some order and precision.
using Adder = std::function<double(float old, const std::vector<Product>&)>;

float forward(float old, const std::vector<Product>& products) {
  for (const Product& p : products) old += p.dy * p.x;
  return old;
}

float pairwise(const Product* first, std::size_t count) {
  if (count == 0) return 0;
  if (count == 1) return first->dy * first->x;
  return pairwise(first, count / 2) + pairwise(first + count / 2, count - count / 2);
}

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

/// A kernel by the definition that adds the products of an element in a way of its own.
Outcome compute(const Case& c, const Tensors& t, const Adder& add) {
  for (std::int64_t i = 0; i < spec::dw_elems(c.shape); ++i) {
    std::vector<Product> products;
    spec::each_product(c.shape, spec::element_at(c.shape, i), [&](std::int64_t dy, std::int64_t x) {
      products.push_back(
          {static_cast<float>(load(c.dtype, t.dy, dy)), static_cast<float>(load(c.dtype, t.x, x))});
    });
    store(c.dtype, t.dw, i, add(static_cast<float>(load(c.dtype, t.dw, i)), products));
  }
  return returned();
}

spec::Shape small(std::int64_t extent) {
  spec::Shape s = padded_3x3(2, extent);
  s.in_channels = s.out_channels = 3;
  return s;
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

TEST(Rounding, ATreeNoHigherThanPromisedIsNeverBlamed) {
  for (const Tree& tree : trees())
    for (std::uint64_t seed = 1; seed <= 60; ++seed)
      for (const std::int64_t extent : {1, 3, 17})
        for (const int masked : {0, 24}) {
          const Ruling r = judge_tree(tree.add, extent, tree.height, seed, masked);
          EXPECT_TRUE(r.findings.empty()) << tree.height << ": " << r.findings.front().detail;
        }
}

TEST(Rounding, OneRunningSumIsBlamedWhereALowerTreeIsPromised) {
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

TEST(Rounding, MaskedDataShowTheTreeOf16BitKernelsWhateverTheirSumsAreIn) {
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

TEST(Rounding, PartialsInANarrowerTypeAreAllowedAsManyAsArePromised) {
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
