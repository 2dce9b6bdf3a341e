#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "spec/wgrad.hpp"
#include "tests/spec/forward.hpp"
#include "tests/spec/shapes.hpp"

namespace wgradcheck::spec {
namespace {

/// The three tensors of a shape, filled with small integers.
struct Data {
  Tensor x, dy, w;
};

Data any_data(const Shape& s) {
  Data data{Tensor({s.batch, s.depth.input, s.height.input, s.width.input, s.in_channels}),
            Tensor({s.batch, s.depth.output, s.height.output, s.width.output, s.out_channels}),
            Tensor({s.groups, s.out_channels / s.groups, s.depth.kernel, s.height.kernel, s.width.kernel,
                    s.in_channels / s.groups})};
  for (Tensor* t : {&data.x, &data.dy, &data.w})
    t->values = *rc::gen::container<std::vector<std::int64_t>>(t->values.size(),
                                                               rc::gen::inRange<std::int64_t>(-9, 10));
  return data;
}

std::int64_t dot(const Tensor& a, const Tensor& b) {
  return std::inner_product(a.values.begin(), a.values.end(), b.values.begin(), std::int64_t{0});
}

std::int64_t defined(const Shape& s, const Data& data, std::int64_t offset) {
  return element<std::int64_t>(s, element_at(s, offset), std::span(std::as_const(data.dy.values)),
                               std::span(std::as_const(data.x.values)))
      .value;
}

RC_GTEST_PROP(Definition, EqualsTheFiniteDifferencesOfAForwardConvolution, ()) {
  const Shape s = *any_shape(5);
  const Data data = any_data(s);
  const auto e = *rc::gen::inRange<std::size_t>(0, data.w.values.size());
  Tensor up = data.w, down = data.w;
  ++up.values[e];
  --down.values[e];
  // <dy, y> is linear in the weights, so a central difference of any width is exact.
  const std::int64_t difference =
      dot(data.dy, forward(s, data.x, up)) - dot(data.dy, forward(s, data.x, down));
  RC_ASSERT(difference == 2 * defined(s, data, static_cast<std::int64_t>(e)));
}

RC_GTEST_PROP(Definition, IsTheAdjointOfAForwardConvolution, ()) {
  const Shape s = *any_shape(5);
  const Data data = any_data(s);
  Tensor dw = data.w;
  for (std::size_t i = 0; i < dw.values.size(); ++i)
    dw.values[i] = defined(s, data, static_cast<std::int64_t>(i));
  RC_ASSERT(dot(data.dy, forward(s, data.x, data.w)) == dot(data.w, dw));
}

/// The adjoint identity as the property above has it, for a definition that reads its shape wrongly.
bool adjoint_holds(const Shape& right, const Shape& wrong) {
  Tensor x({right.batch, 1, right.height.input, right.width.input, right.in_channels});
  Tensor dy({right.batch, 1, right.height.output, right.width.output, right.out_channels});
  Tensor w(
      {right.groups, out_per_group(right), 1, right.height.kernel, right.width.kernel, in_per_group(right)});
  std::int64_t next = 1;
  for (Tensor* t : {&x, &dy, &w})
    for (auto& value : t->values) value = (next = next * 75 % 65537) % 19 - 9;
  Tensor dw = w;
  for (std::size_t i = 0; i < dw.values.size(); ++i)
    dw.values[i] = defined(wrong, {x, dy, w}, static_cast<std::int64_t>(i));
  return dot(dy, forward(right, x, w)) == dot(w, dw);
}

TEST(Definition, TheAdjointIdentityCatchesEveryWrongStep) {
  const Shape right = std::get<Shape>(parse_line("g2mb2ic4ih7oc6oh4kh3sh2ph2dh1"));
  ASSERT_TRUE(adjoint_holds(right, right));
  for (const auto field : {&Axis<std::int64_t>::stride, &Axis<std::int64_t>::dilation,
                           &Axis<std::int64_t>::pad_before, &Axis<std::int64_t>::input})
    for (const auto axis : {&Shape::height, &Shape::width}) {
      Shape wrong = right;
      --(wrong.*axis.*field);
      EXPECT_FALSE(adjoint_holds(right, wrong));
    }
}

TEST(Definition, LeavesInputRowsThatNoOutputReachesOutOfTheSum) {
  const Shape s = std::get<Shape>(parse_line("mb1ic1ih4iw1oc1oh1ow1kh2kw1ph0"));
  ASSERT_EQ(pad_after(s.height), -2);
  const std::vector<int> dy{1}, x{1, 2, 4, 8};
  EXPECT_EQ(element<int>(s, {.kh = 0}, std::span(dy), std::span(x)).value, 1);
  EXPECT_EQ(element<int>(s, {.kh = 1}, std::span(dy), std::span(x)).value, 2);
}

TEST(Definition, CountsTermsInsideTheInputAndTheirMagnitudes) {
  const Shape s = std::get<Shape>(parse_line("mb1ic1ih3oc1oh3kh3ph1"));
  const std::vector<double> dy(9, -1.0), x{1, -2, 3, -4, 5, -6, 7, -8, 9};
  const Sum<double> corner = element<double>(s, {.kh = 0, .kw = 0}, std::span(dy), std::span(x));
  EXPECT_EQ(corner.terms, 4);
  EXPECT_EQ(corner.value, -1 + 2 + 4 - 5);
  EXPECT_EQ(corner.magnitude, 1 + 2 + 4 + 5);
}

RC_GTEST_PROP(Layouts, NumberEveryElementOnceAndAreInvertedByElementAt, ()) {
  const Shape s = *any_shape(4);
  std::set<std::int64_t> seen;
  for (std::int64_t i = 0; i < dw_elems(s); ++i) {
    const Element e = element_at(s, i);
    RC_ASSERT(dw_offset(s, e.g, e.co, e.kd, e.kh, e.kw, e.ci) == i);
    RC_ASSERT(e.g < s.groups && e.co < out_per_group(s) && e.ci < in_per_group(s));
  }
  for (std::int64_t n = 0; n < s.batch; ++n)
    for (std::int64_t d = 0; d < s.depth.input; ++d)
      for (std::int64_t h = 0; h < s.height.input; ++h)
        for (std::int64_t w = 0; w < s.width.input; ++w)
          for (std::int64_t g = 0; g < s.groups; ++g)
            for (std::int64_t ci = 0; ci < in_per_group(s); ++ci) seen.insert(x_offset(s, n, d, h, w, g, ci));
  RC_ASSERT(static_cast<std::int64_t>(seen.size()) == x_elems(s));
  RC_ASSERT(*seen.begin() == 0);
  RC_ASSERT(*seen.rbegin() == x_elems(s) - 1);
}

RC_GTEST_PROP(Shapes, ThePaddingAfterMakesTheOutputEquationExact, ()) {
  const Axis<std::int64_t> a = *any_axis(9);
  RC_ASSERT(output_for(a, pad_after(a)) == a.output);
  RC_ASSERT(output_for(a, pad_after(a) - 1) == a.output - 1);
}

}  // namespace
}  // namespace wgradcheck::spec
