#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "tests/impl/guarded.hpp"
#include "tests/impl/problems.hpp"
#include "tests/targets/target.hpp"

namespace wgradcheck {
namespace {

/// dw after `calls` calls of a private entry point, every buffer ending at an inaccessible page.
template <class Element, class T, class Function>
std::vector<float> run(Function* entry, const spec::Call<std::int64_t>& call, const Numbers& n,
                       int calls = 1) {
  const Guarded<T> dy(rounded<T>(n.dy)), x(rounded<T>(n.x)), dw(rounded<T>(n.dw)), bias(rounded<T>(n.bias));
  const Guarded<float> workspace(std::vector<float>(static_cast<std::size_t>(call.buffer_size),
                                                    std::numeric_limits<float>::quiet_NaN()));
  const auto as = [](const Guarded<T>& g) { return reinterpret_cast<Element*>(g.data()); };
  const Guarded<ConvParameter> param(std::vector<ConvParameter>{param_of(call, workspace.data())});
  for (int i = 0; i < calls; ++i)
    entry(as(dy), as(x), as(dw), n.bias.empty() ? nullptr : as(bias), param.data());
  return floats(dw.copy());
}

/// Every fp32 private entry point that is bundled.
class FloatTarget : public testing::TestWithParam<const char*> {
 protected:
  std::vector<float> call(const spec::Shape& s, const Numbers& n, std::int64_t buffer = 0x1000,
                          int calls = 1) {
    return run<float, float>(entry_, spec::call_of(s, 4, 1, buffer), n, calls);
  }
  Target target_{GetParam()};
  FloatPrivate* entry_ = target_.find<FloatPrivate>("fp_conv_grad_filter_p");
};
INSTANTIATE_TEST_SUITE_P(Bundled, FloatTarget, testing::Values("mt7004", "ft78ne", "plain"),
                         [](const auto& target) { return std::string(target.param); });

TEST_P(FloatTarget, EqualsTheDefinitionOnEachPath) {
  EXPECT_TRUE(rc::check([&] {
    const auto shape = *any_2d_shape();
    const auto call = spec::call_of(shape, 4, 1, *any_buffer(shape, 4));
    const bool bias = spec::path_of(call) != spec::Path::depthwise && *rc::gen::arbitrary<bool>();
    const Numbers n(shape, *rc::gen::arbitrary<std::uint32_t>(), bias);
    RC_ASSERT((run<float, float>(entry_, call, n)) == n.expected(shape));
    RC_ASSERT(target_.error() == "");
  }));
}

TEST_P(FloatTarget, AddsToWhatIsThereOnEachPath) {
  for (const auto& [groups, kernel] : {std::pair{1, 3}, {1, 1}, {4, 3}}) {
    const spec::Shape s = square(2, groups, 4, 4, {5, 6 - kernel, kernel, 1, 1, 0});
    Numbers n(s, 1, false);
    const auto once = call(s, n);
    const auto twice = call(s, n, 0x1000, 2);
    for (std::size_t i = 0; i < once.size(); ++i)
      ASSERT_EQ(twice[i], 2 * once[i] - n.dw[i]) << target_.path();
  }
}

TEST_P(FloatTarget, AddsTheBiasOnceWhateverTheChunkAndTheBatch) {
  const spec::Shape s = square(3, 2, 4, 6, {6, 4, 3, 1, 1, 0});
  const Numbers with(s, 1, true);
  Numbers without = with;
  without.bias.clear();
  for (const std::int64_t buffer : {144, 300, 0x10000}) {
    const auto biased = call(s, with, buffer), unbiased = call(s, without, buffer);
    for (std::size_t i = 0; i < biased.size(); ++i) ASSERT_EQ(biased[i] - unbiased[i], with.bias[i % 18]);
  }
}

TEST_P(FloatTarget, TellsThePathThatRan) {
  const auto path = [&](const spec::Shape& s) {
    call(s, Numbers(s, 1, false));
    return target_.path();
  };
  EXPECT_EQ(path(square(1, 1, 2, 3, {4, 2, 3, 1, 1, 0})), "general");
  EXPECT_EQ(path(square(1, 1, 2, 3, {4, 4, 1, 1, 1, 0})), "1x1");
  EXPECT_EQ(path(square(1, 3, 3, 3, {4, 2, 3, 1, 1, 0})), "depthwise");
  EXPECT_EQ(path(square(1, 1, 1, 1, {4, 4, 1, 1, 1, 0})), "depthwise") << "where both hold it comes first";
  EXPECT_EQ(path(square(1, 3, 3, 6, {4, 2, 3, 1, 1, 0})), "general") << "a multiplier is not depthwise";
  EXPECT_EQ(path(square(1, 3, 3, 3, {5, 1, 3, 1, 2, 0})), "general") << "nor is a dilated kernel";
  EXPECT_EQ(path(square(1, 1, 2, 3, {4, 2, 1, 2, 1, 0})), "general") << "1x1 is not with a stride";
  EXPECT_EQ(path(square(1, 1, 2, 3, {4, 3, 1, 1, 1, 0})), "general") << "nor where the planes differ";
}

TEST_P(FloatTarget, WarnsOfAnOutputThatTheFloorEquationDoesNotGive) {
  const spec::Shape s = square(1, 1, 2, 3, {6, 3, 3, 1, 1, 0});
  EXPECT_EQ(call(s, Numbers(s, 1, false)), Numbers(s, 1, false).expected(s));
  EXPECT_EQ(target_.warning(), "output_h_ is 3, but input, kernel, pads and stride make it 4");
  const spec::Shape exact = square(1, 1, 2, 3, {6, 4, 3, 1, 1, 0});
  call(exact, Numbers(exact, 1, false));
  EXPECT_EQ(target_.warning(), "");
}

TEST_P(FloatTarget, HelpersCountBytesAsDocumentedAndClear) {
  const auto required = target_.find<decltype(required_workspace_bytes)>("required_workspace_bytes");
  const auto safe = target_.find<decltype(safe_workspace_bytes)>("safe_workspace_bytes");
  const spec::Shape example = square(4, 1, 4, 4, {4, 2, 3, 1, 1, 0});  // the document's, with its buffer
  ConvParameter param = param_of(spec::call_of(example, 4, 4, 0x10000), nullptr);
  EXPECT_EQ(required(&param, 4, 4), 262144);
  EXPECT_EQ(safe(&param, 4, 4), 1050880);
  param.buffer_size_ = 288;  // now the partials are larger: 4 cores * 144 elements * 4
  EXPECT_EQ(required(&param, 4, 4), 2304);
  param.buffer_size_ = std::numeric_limits<int>::max();
  EXPECT_EQ(safe(&param, 32, 2), std::int64_t{32} * 4 * (param.buffer_size_ + 144LL));
  EXPECT_EQ(required(&param, 0, 4), -1);
  EXPECT_EQ(target_.error(), "core_num is 0, which must be from 1 to 32, the bits of a core mask");
  EXPECT_EQ(required(&param, 1, 8), -1);
  EXPECT_EQ(required(nullptr, 1, 4), -1);
  param.buffer_size_ = 287;
  EXPECT_EQ(safe(&param, 1, 4), -1);
  EXPECT_EQ(target_.error().substr(0, 12), "buffer_size_");
  param.buffer_size_ = 288;
  const Guarded<float> dw(std::vector<float>(144, 1.0f));
  target_.find<decltype(conv_grad_filter_clear)>("conv_grad_filter_clear")(dw.data(), &param, 4);
  EXPECT_EQ(dw.copy(), std::vector<float>(144, 0.0f));
}

TEST(HalfTarget, EqualsTheDefinitionOnEachPathAndForOddSizes) {
  const Target target("mt7004");
  const auto entry = target.find<HalfPrivate>("hp_conv_grad_filter_p");
  EXPECT_TRUE(rc::check([&] {
    const auto shape = *any_2d_shape();
    const auto call = spec::call_of(shape, 2, 1, *any_buffer(shape, 2));
    const Numbers n(shape, *rc::gen::arbitrary<std::uint32_t>(), false);
    RC_ASSERT((run<float16, impl::Half>(entry, call, n)) == n.expected(shape));
  }));
}

TEST(Platforms, ExportTheSameDocumentedSymbols) {
  for (const char* name : {"mt7004", "ft78ne"})
    for (const char* symbol :
         {"fp_conv_grad_filter_p", "fp_conv_grad_filter_s", "hp_conv_grad_filter_p", "hp_conv_grad_filter_s"})
      EXPECT_NE(Target(name).find<void()>(symbol), nullptr) << name << ' ' << symbol;
}

}  // namespace
}  // namespace wgradcheck
