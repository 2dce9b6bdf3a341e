#include "spec/rules.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/spec/shapes.hpp"

namespace wgradcheck::spec {
namespace {

constexpr std::int64_t kBuffer = 0x10000;
using Call64 = Call<std::int64_t>;

Shape shape(const char* line) { return std::get<Shape>(parse_line(line)); }
Call64 call(const char* line, std::int64_t buffer = kBuffer) { return call_of(shape(line), 4, 1, buffer); }

TEST(Rules, GiveTheNumbersOfTheDocumentsExampleOnFourCores) {
  const Call64 c = call_of(shape("mb4ic4ih4oc4oh2kh3"), 4, 4, kBuffer);
  EXPECT_FALSE(refuse(c));
  EXPECT_EQ(dw_elems(c), 144);
  EXPECT_EQ(row_bytes(c), 144);
  EXPECT_EQ(chunk(c), 227);
  EXPECT_EQ(buffer_limit(c), 288);
  EXPECT_EQ(chunk_workspace(c), 262144);
  EXPECT_EQ(partial_workspace(c), 2304);
  EXPECT_EQ(documented_workspace(c), 262144);
  EXPECT_EQ(safe_workspace(c), 1050880);
  EXPECT_EQ(partial_offset<std::int64_t>(c, 3), 1728);
}

TEST(Rules, AtTheLimitAChunkIsOneRowAndOneByteBelowIsRefused) {
  EXPECT_FALSE(refuse(call("mb4ic4ih4oc4oh2kh3", 288)));
  EXPECT_EQ(chunk(call("mb4ic4ih4oc4oh2kh3", 288)), 1);
  EXPECT_EQ(chunk(call("mb4ic4ih4oc4oh2kh3", 287)), 0);
  EXPECT_EQ(refuse(call("mb4ic4ih4oc4oh2kh3", 287))->field, "buffer_size_");
}

TEST(Rules, TheSuggestedBufferOf2048IsTooSmallFor256ElementsInARow) {
  EXPECT_FALSE(refuse(call("ic256ih4oc4kh1", 2048)));
  EXPECT_EQ(refuse(call("ic257ih4oc4kh1", 2048))->field, "buffer_size_");
}

TEST(Rules, ChooseThePathByTheDocumentsConditions) {
  EXPECT_EQ(path_of(call("g8ic8ih6oc8kh3ph1sh2")), Path::depthwise);
  EXPECT_EQ(path_of(call("g8ic8ih6oc8kh3dh1ph1")), Path::general);  // dilated
  EXPECT_EQ(path_of(call("g8ic8ih6oc16kh3ph1")), Path::general);    // two outputs a group
  EXPECT_EQ(path_of(call("ic8ih6oc4kh1")), Path::pointwise);
  for (const char* line : {"ic8ih6oc4oh3kh1sh2ph0", "ic8ih6oc4oh8kh1ph1", "g2ic8ih6oc4kh1", "ic8ih6oc4kh1dh1",
                           "ic8ih6oc4oh6ow7kh1kw1iw6ph0pw0", "ic8ih6oc4oh5kh1ph0"})
    EXPECT_EQ(path_of(call(line)), Path::general) << line;
  EXPECT_EQ(path_of(call("ic1ih6oc1kh1")), Path::depthwise) << "both hold: depthwise comes first";
}

TEST(Rules, ACallGivesANegativePaddingAfterAsZero) {
  const Call64 c = call("mb1ic1ih8iw6oc1oh2ow6kh3kw3sh2sw1ph0pw0");
  EXPECT_EQ(c.pad_d, 0);
  EXPECT_EQ(c.pad_r, 2);
}

TEST(Rules, RefuseEachFieldByItsNameInTheStruct) {
  const std::vector<std::tuple<std::int64_t Call64::*, std::int64_t, const char*>> faults{
      {&Call64::output_batch, 0, "output_batch_"},
      {&Call64::input_batch, 0, "input_batch_"},
      {&Call64::input_batch, 5, "input_batch_"},
      {&Call64::input_h, 0, "input_h_"},
      {&Call64::input_w, -4, "input_w_"},
      {&Call64::output_h, 0, "output_h_"},
      {&Call64::output_w, 0, "output_w_"},
      {&Call64::input_channel, 0, "input_channel_"},
      {&Call64::input_channel, 3, "input_channel_"},
      {&Call64::output_channel, 0, "output_channel_"},
      {&Call64::output_channel, 3, "output_channel_"},
      {&Call64::kernel_h, 0, "kernel_h_"},
      {&Call64::kernel_w, 0, "kernel_w_"},
      {&Call64::group, 0, "group_"},
      {&Call64::pad_l, -1, "pad_l_"},
      {&Call64::pad_u, -1, "pad_u_"},
      {&Call64::pad_d, -1, "pad_d_"},
      {&Call64::pad_r, -1, "pad_r_"},
      {&Call64::dilation_h, 0, "dilation_h_"},
      {&Call64::dilation_w, 0, "dilation_w_"},
      {&Call64::stride_h, 0, "stride_h_"},
      {&Call64::stride_w, 0, "stride_w_"},
      {&Call64::buffer_size, 0, "buffer_size_"},
      {&Call64::buffer_size, std::int64_t{1} << 45, "buffer_size_"},
      {&Call64::core_num, 0, "core_mask"},
      {&Call64::core_num, std::int64_t{1} << 40, "output_channel_"},
      {&Call64::input_h, std::int64_t{1} << 42, "input_h_"},
      {&Call64::input_h, std::int64_t{1} << 62, "input_h_"},
      {&Call64::output_h, std::int64_t{1} << 42, "output_h_"}};
  const Call64 right = call("g2mb4ic4ih4oc4oh2kh3");
  ASSERT_FALSE(refuse(right));
  for (const auto& [field, value, name] : faults) {
    Call64 wrong = right;
    wrong.*field = value;
    const auto refusal = refuse(wrong);
    ASSERT_TRUE(refusal) << name << " = " << value;
    EXPECT_EQ(refusal->field, name) << value;
    EXPECT_FALSE(refusal->reason.empty());
  }
}

RC_GTEST_PROP(Rules, AnAdmittedCallHasAChunkThatFitsItsHalfOfTheBuffer, ()) {
  Shape s = *any_shape(9);
  s.depth = kNoAxis;
  const auto cores = *rc::gen::inRange<std::int64_t>(1, 9);
  const auto buffer = *rc::gen::inRange<std::int64_t>(0, 4096);
  const Call64 c = call_of(s, *rc::gen::element<std::int64_t>(2, 4), cores, buffer);
  RC_ASSERT(valid(c) == !refuse(c));
  if (refuse(c)) return;
  RC_ASSERT(chunk(c) >= 1);
  RC_ASSERT(2 * chunk(c) * row_bytes(c) <= c.buffer_size);
  RC_ASSERT(documented_workspace(c) <= safe_workspace(c));
  RC_ASSERT(dw_elems(c) == dw_elems(s));
  RC_ASSERT(shape_of(c) == s);
}

TEST(Shapes, RefuseEachFieldByItsName) {
  Shape right = shape("g2mb4ic4id4ih4iw4oc4od2oh2ow2kd3kh3kw3sd1sh1sw1pd0ph0pw0");
  ASSERT_FALSE(refuse(right));
  const auto expect = [&](std::int64_t& field, std::int64_t value, const std::string& name) {
    const std::int64_t old = std::exchange(field, value);
    const auto refusal = refuse(right);
    ASSERT_TRUE(refusal) << name << " = " << value;
    EXPECT_EQ(refusal->field, name) << value;
    EXPECT_TRUE(refusal->reason.starts_with(name)) << refusal->reason;
    field = old;
  };
  expect(right.batch, 0, "mb");
  expect(right.groups, -2, "g");
  expect(right.in_channels, 0, "ic");
  expect(right.in_channels, 3, "ic");
  expect(right.out_channels, 0, "oc");
  expect(right.out_channels, 3, "oc");
  for (const auto& [name, axis] : {std::pair{'d', &right.depth}, {'h', &right.height}, {'w', &right.width}}) {
    expect(axis->input, 0, {'i', name});
    expect(axis->output, 0, {'o', name});
    expect(axis->kernel, 0, {'k', name});
    expect(axis->stride, 0, {'s', name});
    expect(axis->dilation, 0, {'d', name});
    expect(axis->pad_before, -1, {'p', name});
  }
}

}  // namespace
}  // namespace wgradcheck::spec
