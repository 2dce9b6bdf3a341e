#include "check/abi.hpp"

#include <algorithm>
#include <array>

namespace wgradcheck::check {
namespace {

constexpr std::array<Abi, 11> kAbis{{
    {"mt7004_fp32_p", "fp_conv_grad_filter_p", DType::f32, false},
    {"mt7004_fp16_p", "hp_conv_grad_filter_p", DType::f16, false},
    {"mt7004_fp32_s", "fp_conv_grad_filter_s", DType::f32, true},
    {"mt7004_fp16_s", "hp_conv_grad_filter_s", DType::f16, true},
    {"ft78ne_fp32_p", "fp_conv_grad_filter_p", DType::f32, false},
    {"ft78ne_fp32_s", "fp_conv_grad_filter_s", DType::f32, true},
    {"host_f32", "wgrad_kernel", DType::f32, false, true},
    {"host_f16", "wgrad_kernel", DType::f16, false, true},
    {"host_bf16", "wgrad_kernel", DType::bf16, false, true},
    {"ascend_half", "conv3d_backprop_filter", DType::f16, true, true, true},
    {"ascend_bf16", "conv3d_backprop_filter", DType::bf16, true, true, true},
}};

}  // namespace

std::span<const Abi> abis() { return kAbis; }

const Abi* find_abi(std::string_view name_or_symbol) {
  const auto found = std::ranges::find_if(
      kAbis, [&](const Abi& abi) { return abi.name == name_or_symbol || abi.symbol == name_or_symbol; });
  return found == kAbis.end() ? nullptr : &*found;
}

}  // namespace wgradcheck::check
