#include <algorithm>
#include <string>

#include "targets/conv_grad_filter/admission.hpp"

namespace {

using wgradcheck::targets::Call;

/// The call of a helper function, which knows no pointers, or nothing and a report.
std::optional<Call> admit(const ConvParameter* param, int core_num, int element_bytes) {
  const auto refuse = [](const char* field, int value, const char* why) {
    wgradcheck::targets::refuse_call(field + (" is " + std::to_string(value)) + why);
    return std::optional<Call>();
  };
  if (element_bytes != 4 && element_bytes != 2)
    return refuse("element_bytes", element_bytes, ", which must be 4 or 2");
  if (core_num < 1 || core_num > 32)
    return refuse("core_num", core_num, ", which must be from 1 to 32, the bits of a core mask");
  return wgradcheck::targets::admit(param, element_bytes, core_num);
}

const char* text_or_null(const wgradcheck::targets::Report::Text& text) {
  return text[0] == '\0' ? nullptr : text.data();
}

}  // namespace

extern "C" {

const char* conv_grad_filter_last_error(void) {
  return text_or_null(wgradcheck::targets::last_report().error);
}

const char* conv_grad_filter_last_warning(void) {
  return text_or_null(wgradcheck::targets::last_report().warning);
}

const char* conv_grad_filter_last_path(void) { return wgradcheck::targets::last_report().path; }

int64_t required_workspace_bytes(const ConvParameter* conv_param, int core_num, int element_bytes) {
  const auto call = admit(conv_param, core_num, element_bytes);
  return call ? wgradcheck::spec::documented_workspace(*call) : -1;
}

int64_t safe_workspace_bytes(const ConvParameter* conv_param, int core_num, int element_bytes) {
  const auto call = admit(conv_param, core_num, element_bytes);
  return call ? wgradcheck::spec::safe_workspace(*call) : -1;
}

void conv_grad_filter_clear(void* out_dw, const ConvParameter* conv_param, int element_bytes) {
  const auto call = admit(conv_param, 1, element_bytes);
  if (!call) return;
  if (out_dw == nullptr) return wgradcheck::targets::refuse_call("out_dw is NULL");
  std::fill_n(static_cast<char*>(out_dw), wgradcheck::spec::dw_elems(*call) * element_bytes, char{0});
}

}  // extern "C"
