#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>

#include "tests/targets/target.hpp"

namespace wgradcheck {
namespace {

constexpr int kMost = std::numeric_limits<int>::max();
constexpr int kLeast = std::numeric_limits<int>::min();

/// A grouped call of 2 images, 6x6x4 -> 4x4x6, kernel 3, whose parameters a test spoils. `call` makes it
/// through one entry point and tells whether a byte of any buffer changed.
struct Attempt {
  std::vector<unsigned char> dy = std::vector<unsigned char>(4096, 0x3c), x = dy, dw = dy, workspace = dy;
  unsigned char* dy_at = dy.data();
  unsigned char* x_at = x.data();
  unsigned char* dw_at = dw.data();
  unsigned char* bias_at = nullptr;
  ConvParameter param;
  ConvParameter* param_at = &param;

  explicit Attempt(int elem_bytes)
      : param(param_of(spec::call_of(square(2, 2, 4, 6, {6, 4, 3, 1, 1, 0}), elem_bytes, 1, 36 * elem_bytes),
                       workspace.data())) {}
  Attempt(const Attempt&) = delete;

  template <class Element, class Entry, class... Mask>
  bool changes_a_byte(Entry* entry, Mask... mask) {
    const auto before = std::tuple(dy, x, dw, workspace);
    const ConvParameter old = param;
    entry(reinterpret_cast<Element*>(dy_at), reinterpret_cast<Element*>(x_at),
          reinterpret_cast<Element*>(dw_at), reinterpret_cast<Element*>(bias_at), param_at, mask...);
    return before != std::tuple(dy, x, dw, workspace) || std::memcmp(&old, &param, sizeof param) != 0;
  }
};

/// A way to spoil a call, and how the reason begins.
struct Spoilt {
  const char* field;
  std::function<void(Attempt&)> spoil;
};

Spoilt set(const char* field, int ConvParameter::*member, int value) {
  return {field, [=](Attempt& a) { a.param.*member = value; }};
}

std::vector<Spoilt> spoilt_calls() {
  using P = ConvParameter;
  std::vector<Spoilt> all;
  for (const auto& [name, member] : {std::pair{"output_batch_", &P::output_batch_},
                                     {"input_batch_", &P::input_batch_},
                                     {"input_h_", &P::input_h_},
                                     {"input_w_", &P::input_w_},
                                     {"output_h_", &P::output_h_},
                                     {"output_w_", &P::output_w_},
                                     {"input_channel_", &P::input_channel_},
                                     {"output_channel_", &P::output_channel_},
                                     {"kernel_h_", &P::kernel_h_},
                                     {"kernel_w_", &P::kernel_w_},
                                     {"group_", &P::group_},
                                     {"dilation_h_", &P::dilation_h_},
                                     {"dilation_w_", &P::dilation_w_},
                                     {"stride_h_", &P::stride_h_},
                                     {"stride_w_", &P::stride_w_}})
    for (const int value : {0, -1, kLeast}) all.push_back(set(name, member, value));
  for (const auto& [name, member] : {std::pair{"pad_l_", &P::pad_l_},
                                     {"pad_u_", &P::pad_u_},
                                     {"pad_d_", &P::pad_d_},
                                     {"pad_r_", &P::pad_r_}})
    for (const int value : {-1, kLeast}) all.push_back(set(name, member, value));
  all.push_back(set("input_batch_", &P::input_batch_, 3));
  all.push_back(set("input_channel_", &P::input_channel_, 5));
  all.push_back(set("output_channel_", &P::output_channel_, 7));
  all.push_back({"buffer_size_", [](Attempt& a) { --a.param.buffer_size_; }});
  for (const int value : {0, -1, kLeast}) all.push_back(set("buffer_size_", &P::buffer_size_, value));
  // 32-bit products of these wrap to something small.
  all.push_back({"input_h_", [](Attempt& a) { a.param.input_h_ = a.param.input_w_ = 1 << 30; }});
  all.push_back({"output_h_", [](Attempt& a) { a.param.output_h_ = a.param.output_w_ = 1 << 30; }});
  all.push_back({"buffer_size_", [](Attempt& a) { a.param.kernel_h_ = a.param.kernel_w_ = kMost; }});
  all.push_back({"input_dy", [](Attempt& a) { a.dy_at = nullptr; }});
  all.push_back({"input_x", [](Attempt& a) { a.x_at = nullptr; }});
  all.push_back({"out_dw", [](Attempt& a) { a.dw_at = nullptr; }});
  all.push_back({"conv_param", [](Attempt& a) { a.param_at = nullptr; }});
  all.push_back({"workspace_", [](Attempt& a) { a.param.workspace_ = nullptr; }});
  all.push_back(
      {"workspace_", [](Attempt& a) { a.param.workspace_ = static_cast<char*>(a.param.workspace_) + 1; }});
  all.push_back({"bias", [](Attempt& a) {
                   a.param.group_ = a.param.input_channel_ = a.param.output_channel_ = 4;
                   a.bias_at = a.dy.data();
                 }});
  return all;
}

/// Makes each spoilt call of an entry point, and the unspoilt one, with the buffer exactly at the limit.
template <class Element, class Entry, class... Mask>
void refuses_every_spoilt_call(const Target& target, const char* symbol, Mask... mask) {
  Entry* entry = target.find<Entry>(symbol);
  for (const Spoilt& spoilt : spoilt_calls()) {
    Attempt attempt(sizeof(Element));
    spoilt.spoil(attempt);
    EXPECT_FALSE((attempt.changes_a_byte<Element>(entry, mask...))) << symbol << ' ' << target.error();
    EXPECT_EQ(target.error().substr(0, std::strlen(spoilt.field) + 1), std::string(spoilt.field) + ' ');
    EXPECT_EQ(target.path(), "");
  }
  Attempt right(sizeof(Element));
  EXPECT_TRUE((right.changes_a_byte<Element>(entry, mask...)));
  EXPECT_EQ(target.error(), "");
}

TEST(Refusal, OfEachFieldAndPointerLeavesEveryByteAndNamesIt) {
  for (const char* name : {"mt7004", "ft78ne", "plain"})
    refuses_every_spoilt_call<float, FloatPrivate>(Target(name), "fp_conv_grad_filter_p");
  refuses_every_spoilt_call<float16, HalfPrivate>(Target("mt7004"), "hp_conv_grad_filter_p");
}

TEST(Refusal, OfASharedCallLeavesEveryByteAndNamesTheField) {
  for (const char* name : {"mt7004", "ft78ne"})
    refuses_every_spoilt_call<float, FloatShared>(Target(name), "fp_conv_grad_filter_s", 1);
  refuses_every_spoilt_call<float16, HalfShared>(Target("mt7004"), "hp_conv_grad_filter_s", 1);
}

TEST(Refusal, OfAMaskWithoutTheCallerLeavesEveryByte) {
  const Target target("mt7004");
  for (const int mask : {0, 2, -2}) {  // the calling core is number 0
    Attempt attempt(4);
    EXPECT_FALSE((attempt.changes_a_byte<float>(target.find<FloatShared>("fp_conv_grad_filter_s"), mask)));
    EXPECT_EQ(target.error().substr(0, 13), "core_mask is ");
  }
}

TEST(Refusal, SaysTheValueAndTheRule) {
  const Target target("mt7004");
  Attempt attempt(4);
  attempt.param.stride_w_ = -3;
  attempt.changes_a_byte<float>(target.find<FloatPrivate>("fp_conv_grad_filter_p"));
  EXPECT_EQ(target.error(), "stride_w_ is -3, which must be at least 1");
}

TEST(Refusal, IsAllThatFt78neHasForFloat16) {
  const Target target("ft78ne");
  Attempt attempt(2);
  EXPECT_FALSE((attempt.changes_a_byte<float16>(target.find<HalfPrivate>("hp_conv_grad_filter_p"))));
  EXPECT_EQ(target.error(), "float16 is not supported by FT78NE, which computes fp32 alone");
  EXPECT_FALSE((attempt.changes_a_byte<float16>(target.find<HalfShared>("hp_conv_grad_filter_s"), 1)));
  EXPECT_NE(target.error(), "");
}

}  // namespace
}  // namespace wgradcheck
