#include "spec/rules.hpp"

#include <string>

#include "spec/checked.hpp"

namespace wgradcheck::spec {
std::optional<Refusal> refuse(const Call<std::int64_t>& c) {
  std::optional<Refusal> refusal;
  each_condition(as<Checked<std::int64_t>>(c),
                 [&refusal](const char* field, const char* reason, auto condition) {
                   if (refusal) return;
                   try {
                     if (!condition()) refusal = Refusal{field, reason};
                   } catch (const Overflow&) {
                     refusal = Refusal{field, "takes part in a size that does not fit 64 bits"};
                   }
                 });
  return refusal;
}

Call<std::int64_t> call_of(const Shape& s, std::int64_t elem_bytes, std::int64_t core_num,
                           std::int64_t buffer_size) {
  const auto after = [](const Axis<std::int64_t>& a) { return max<std::int64_t>(pad_after(a), 0); };
  return {.output_batch = s.batch,
          .input_batch = s.batch,
          .input_h = s.height.input,
          .input_w = s.width.input,
          .output_h = s.height.output,
          .output_w = s.width.output,
          .input_channel = s.in_channels,
          .output_channel = s.out_channels,
          .kernel_h = s.height.kernel,
          .kernel_w = s.width.kernel,
          .group = s.groups,
          .pad_l = s.width.pad_before,
          .pad_u = s.height.pad_before,
          .dilation_h = s.height.dilation,
          .dilation_w = s.width.dilation,
          .stride_h = s.height.stride,
          .stride_w = s.width.stride,
          .buffer_size = buffer_size,
          .pad_d = after(s.height),
          .pad_r = after(s.width),
          .elem_bytes = elem_bytes,
          .core_num = core_num,
          .limit = std::int64_t{1} << 46};
}

}  // namespace wgradcheck::spec
