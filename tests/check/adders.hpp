#pragma once
#include <functional>
#include <vector>

#include "check/judge/court.hpp"
#include "check/judge/number.hpp"
#include "spec/wgrad.hpp"
#include "tests/check/defects.hpp"

namespace wgradcheck::check {

struct Product {
  float dy, x;
};
/// A sum of an old value and products, in some order and precision.
using Adder = std::function<double(float old, const std::vector<Product>&)>;

inline float forward(float old, const std::vector<Product>& products) {
  for (const Product& p : products) old += p.dy * p.x;
  return old;
}

inline float pairwise(const Product* first, std::size_t count) {
  if (count == 0) return 0;
  if (count == 1) return first->dy * first->x;
  return pairwise(first, count / 2) + pairwise(first + count / 2, count - count / 2);
}

/// A kernel by the definition that adds the products of an element in a way of its own.
inline Outcome compute(const Case& c, const Tensors& t, const Adder& add) {
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

inline Ruling judge_rounding(const FakeExecutor::Function& kernel, const spec::Shape& shape, DType t,
                             std::uint64_t seed, std::initializer_list<const char*> made, bool rounds = true,
                             int masked = 0) {
  FakeExecutor executor(kernel);
  Promises promises;
  for (const char* promise : made) promises.make(promise);
  Trial trial{.test = {.shape = shape, .dtype = t, .seed = seed}, .fill = {}};
  trial.fill.rounds = rounds;
  trial.fill.masked = masked;
  return Court(executor, promises).judge(std::span(&trial, 1)).front();
}

inline spec::Shape small(std::int64_t extent) {
  spec::Shape s = padded_3x3(2, extent);
  s.in_channels = s.out_channels = 3;
  return s;
}

}  // namespace wgradcheck::check
