#include "targets/conv_grad_filter/entry.hpp"

namespace targets = wgradcheck::targets;

extern "C" {

void fp_conv_grad_filter_p(float* dy, float* x, float* dw, float* bias, ConvParameter* param) {
  targets::call_private(targets::tensors<float>(dy, x, dw, bias), param);
}

void fp_conv_grad_filter_s(float* dy, float* x, float* dw, float* bias, ConvParameter* param, int core_mask) {
  targets::call_shared(targets::tensors<float>(dy, x, dw, bias), param, core_mask);
}

void hp_conv_grad_filter_p(float16*, float16*, float16*, float16*, ConvParameter*) {
  targets::refuse_call("float16 is not supported by FT78NE, which computes fp32 alone");
}

void hp_conv_grad_filter_s(float16*, float16*, float16*, float16*, ConvParameter*, int) {
  targets::refuse_call("float16 is not supported by FT78NE, which computes fp32 alone");
}

}  // extern "C"
