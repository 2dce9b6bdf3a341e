#include "targets/conv_grad_filter/entry.hpp"

namespace targets = wgradcheck::targets;
using wgradcheck::impl::Half;

extern "C" {

void fp_conv_grad_filter_p(float* dy, float* x, float* dw, float* bias, ConvParameter* param) {
  targets::call_private(targets::tensors<float>(dy, x, dw, bias), param);
}

void hp_conv_grad_filter_p(float16* dy, float16* x, float16* dw, float16* bias, ConvParameter* param) {
  targets::call_private(targets::tensors<Half>(dy, x, dw, bias), param);
}

void fp_conv_grad_filter_s(float* dy, float* x, float* dw, float* bias, ConvParameter* param, int core_mask) {
  targets::call_shared(targets::tensors<float>(dy, x, dw, bias), param, core_mask);
}

void hp_conv_grad_filter_s(float16* dy, float16* x, float16* dw, float16* bias, ConvParameter* param,
                           int core_mask) {
  targets::call_shared(targets::tensors<Half>(dy, x, dw, bias), param, core_mask);
}

}  // extern "C"
