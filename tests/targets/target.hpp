#pragma once
#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include "spec/rules.hpp"
#include "targets/include/conv_grad_filter.h"

namespace wgradcheck {

/// A platform's shared object, loaded so that its symbols are its own.
class Target {
 public:
  explicit Target(const std::string& name)
      : handle_(dlopen((WGRADCHECK_BUILD "/libwgradcheck_" + name + ".so").c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
  }
  ~Target() { dlclose(handle_); }
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  /// The address of a documented symbol; null when the platform exports none.
  template <class Function>
  Function* find(const char* symbol) const {
    return reinterpret_cast<Function*>(dlsym(handle_, symbol));
  }
  std::string text(const char* query) const {
    const char* text = find<const char*()>(query)();
    return text == nullptr ? "" : text;
  }
  std::string error() const { return text("conv_grad_filter_last_error"); }
  std::string warning() const { return text("conv_grad_filter_last_warning"); }
  std::string path() const { return text("conv_grad_filter_last_path"); }

 private:
  void* handle_;
};

using FloatPrivate = decltype(fp_conv_grad_filter_p);
using FloatShared = decltype(fp_conv_grad_filter_s);
using HalfPrivate = decltype(hp_conv_grad_filter_p);
using HalfShared = decltype(hp_conv_grad_filter_s);

/// The parameter struct of a call.
inline ConvParameter param_of(const spec::Call<std::int64_t>& c, void* workspace) {
  const auto i = [](std::int64_t value) { return static_cast<int>(value); };
  return {workspace,       i(c.output_batch), i(c.input_batch),   i(c.input_h),        i(c.input_w),
          i(c.output_h),   i(c.output_w),     i(c.input_channel), i(c.output_channel), i(c.kernel_h),
          i(c.kernel_w),   i(c.group),        i(c.pad_l),         i(c.pad_u),          i(c.dilation_h),
          i(c.dilation_w), i(c.stride_h),     i(c.stride_w),      i(c.buffer_size),    i(c.pad_d),
          i(c.pad_r)};
}

/// A shape whose height and width are alike.
inline spec::Shape square(std::int64_t batch, std::int64_t groups, std::int64_t in, std::int64_t out,
                          const spec::Axis<std::int64_t>& axis) {
  return {batch, groups, in, out, spec::kNoAxis, axis, axis};
}

}  // namespace wgradcheck
