#include "targets/conv_grad_filter/admission.hpp"

#include <utility>

namespace wgradcheck::targets {
namespace {

/// The widest buffer, in bytes, that a process here can address.
constexpr std::int64_t kLimit = std::int64_t{1} << 46;

Call call_from(const ConvParameter& p, std::int64_t elem_bytes, std::int64_t core_num) {
  return {.output_batch = p.output_batch_,
          .input_batch = p.input_batch_,
          .input_h = p.input_h_,
          .input_w = p.input_w_,
          .output_h = p.output_h_,
          .output_w = p.output_w_,
          .input_channel = p.input_channel_,
          .output_channel = p.output_channel_,
          .kernel_h = p.kernel_h_,
          .kernel_w = p.kernel_w_,
          .group = p.group_,
          .pad_l = p.pad_l_,
          .pad_u = p.pad_u_,
          .dilation_h = p.dilation_h_,
          .dilation_w = p.dilation_w_,
          .stride_h = p.stride_h_,
          .stride_w = p.stride_w_,
          .buffer_size = p.buffer_size_,
          .pad_d = p.pad_d_,
          .pad_r = p.pad_r_,
          .elem_bytes = elem_bytes,
          .core_num = core_num,
          .limit = kLimit};
}

std::string value_of(const std::string& field, const ConvParameter& p) {
  for (const Field& f : kFields)
    if (field == f.name) return " is " + std::to_string(p.*f.member) + ", which ";
  return " ";
}

std::string output_warning(const Call& c) {
  const spec::Shape s = spec::shape_of(c);
  const auto differs = [](const std::string& field, const spec::Axis<std::int64_t>& a, std::int64_t after) {
    const std::int64_t expected = spec::output_for(a, after);
    if (a.output == expected) return std::string();
    return field + " is " + std::to_string(a.output) + ", but input, kernel, pads and stride make it " +
           std::to_string(expected);
  };
  const std::string height = differs("output_h_", s.height, c.pad_d);
  return height.empty() ? differs("output_w_", s.width, c.pad_r) : height;
}

void write(Report::Text& to, const std::string& text) { to[text.copy(to.data(), to.size() - 1)] = '\0'; }

/// The word of conv_grad_filter.h for it.
const char* word_for(spec::Path path) {
  switch (path) {
    case spec::Path::depthwise:
      return "depthwise";
    case spec::Path::pointwise:
      return "1x1";
    case spec::Path::general:
      return "general";
  }
  return nullptr;
}

}  // namespace

Report& last_report() {
  thread_local Report report{};
  return report;
}

void refuse_call(const std::string& reason) {
  last_report() = {};
  write(last_report().error, reason);
}

std::optional<Call> admit(const ConvParameter* p, std::int64_t elem_bytes, std::int64_t core_num) {
  last_report() = {};
  if (p == nullptr) {
    refuse_call("conv_param is NULL");
    return {};
  }
  const Call call = call_from(*p, elem_bytes, core_num);
  if (const auto refusal = spec::refuse(call)) {
    refuse_call(refusal->field + value_of(refusal->field, *p) + refusal->reason);
    return {};
  }
  return call;
}

std::optional<Call> admit(const Pointers& pointers, const ConvParameter* p, std::int64_t elem_bytes,
                          std::int64_t core_num) {
  const auto call = admit(p, elem_bytes, core_num);
  if (!call) return {};
  for (const auto& [name, pointer] : {std::pair<const char*, const void*>{"input_dy", pointers.dy},
                                      {"input_x", pointers.x},
                                      {"out_dw", pointers.dw},
                                      {"workspace_", p->workspace_}})
    if (pointer == nullptr) {
      refuse_call(std::string(name) + " is NULL");
      return {};
    }
  if (reinterpret_cast<std::uintptr_t>(p->workspace_) % alignof(float) != 0) {
    refuse_call("workspace_ is not aligned as float");
    return {};
  }
  const spec::Path path = spec::path_of(*call);
  if (pointers.bias != nullptr && path == spec::Path::depthwise) {
    refuse_call("bias is not NULL, but the depthwise path has no matrix product to add it to");
    return {};
  }
  last_report().path = word_for(path);
  write(last_report().warning, output_warning(*call));
  return call;
}

std::optional<Place> place_in(int core_mask) {
  const auto refuse = [core_mask](const std::string& why) {
    refuse_call("core_mask is " + std::to_string(core_mask) + ", " + why);
    return std::optional<Place>();
  };
  if (core_mask == 0) return refuse("which names no core");
  if (get_core_id == nullptr || GetLogicCoreId == nullptr || GetCoreNum == nullptr || sys_bar == nullptr)
    return refuse("but the machine supplies no get_core_id, GetLogicCoreId, GetCoreNum and sys_bar");
  const int core = get_core_id();
  if (core < 0 || core > 31 || (static_cast<unsigned>(core_mask) >> core & 1u) == 0)
    return refuse("in which the calling core " + std::to_string(core) + " is not");
  return Place{GetLogicCoreId(core_mask, core), GetCoreNum(core_mask)};
}

}  // namespace wgradcheck::targets
