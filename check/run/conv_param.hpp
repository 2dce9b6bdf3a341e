#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "check/abi.hpp"
#include "check/executor.hpp"
#include "check/run/host_call.hpp"
#include "spec/call.hpp"
#include "targets/ascend/include/lib/conv_backprop/conv3d_bp_filter_tilingdata.h"

namespace wgradcheck::check {

/// ConvParameter as the documents lay it out: a pointer, then twenty ints in the order of kParamFields.
struct ConvParam {
  void* workspace = nullptr;
  std::array<std::int32_t, 20> fields{};
};
static_assert(sizeof(void*) != 8 || sizeof(ConvParam) == 88);

/// The documents' names of the ints, in order.
inline constexpr std::array<const char*, 20> kParamFields{
    "output_batch_", "input_batch_",   "input_h_",        "input_w_",    "output_h_",
    "output_w_",     "input_channel_", "output_channel_", "kernel_h_",   "kernel_w_",
    "group_",        "pad_l_",         "pad_u_",          "dilation_h_", "dilation_w_",
    "stride_h_",     "stride_w_",      "buffer_size_",    "pad_d_",      "pad_r_"};

/// The same ints as the rules know them.
inline constexpr std::array<std::int64_t spec::Call<std::int64_t>::*, 20> kCallFields{
    &spec::Call<std::int64_t>::output_batch,  &spec::Call<std::int64_t>::input_batch,
    &spec::Call<std::int64_t>::input_h,       &spec::Call<std::int64_t>::input_w,
    &spec::Call<std::int64_t>::output_h,      &spec::Call<std::int64_t>::output_w,
    &spec::Call<std::int64_t>::input_channel, &spec::Call<std::int64_t>::output_channel,
    &spec::Call<std::int64_t>::kernel_h,      &spec::Call<std::int64_t>::kernel_w,
    &spec::Call<std::int64_t>::group,         &spec::Call<std::int64_t>::pad_l,
    &spec::Call<std::int64_t>::pad_u,         &spec::Call<std::int64_t>::dilation_h,
    &spec::Call<std::int64_t>::dilation_w,    &spec::Call<std::int64_t>::stride_h,
    &spec::Call<std::int64_t>::stride_w,      &spec::Call<std::int64_t>::buffer_size,
    &spec::Call<std::int64_t>::pad_d,         &spec::Call<std::int64_t>::pad_r};

/// Bytes of each buffer, in BufferId's order.
using Sizes = std::array<std::int64_t, kBuffers>;

/// What one case hands to a kernel. The parameter's workspace is set when the buffers have addresses.
struct CallImage {
  Sizes sizes{};
  Sizes room{};  ///< sizes with the bytes after each that may be read
  bool host = false, ascend = false;
  ConvParam param;                          ///< of any but a host or Ascend kernel
  wgrad_problem problem{};                  ///< of a host kernel
  Conv3DBackpropFilterTilingData tiling{};  ///< of an Ascend kernel

  /// The bytes of the parameter.
  std::span<const std::byte> parameter() const {
    if (ascend) return std::as_bytes(std::span(&tiling, 1));
    return host ? std::as_bytes(std::span(&problem, 1)) : std::as_bytes(std::span(&param, 1));
  }
};

/// Bytes of a case's dy, x or dW as its kernel gets them. Throws spec::Overflow.
std::int64_t tensor_bytes(const Case&, BufferId);

/// Bytes of a case's parameter.
std::int64_t parameter_bytes(const Case&);

/// The image of a case, or a sentence that says why the calling convention cannot express it.
std::variant<CallImage, std::string> image_of(const Abi&, const Case&);

/// Name of the first field of the parameter at `now` that differs from the one given, or empty.
std::string changed_field(const CallImage& given, const std::byte* now);

}  // namespace wgradcheck::check
