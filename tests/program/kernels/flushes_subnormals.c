/* Right but for numbers below the least normal one, which count as 0. */
#include <math.h>
#ifndef FLUSHES
#define FLUSHES 1
#endif
#define fp_conv_grad_filter_p right
#include "right.c"
#undef fp_conv_grad_filter_p

void fp_conv_grad_filter_p(float* dy, float* x, float* dw, float* bias, ConvParameter* p) {
  const int n = p->output_channel_ * p->kernel_h_ * p->kernel_w_ * p->input_channel_ / p->group_;
  right(dy, x, dw, bias, p);
  for (int i = 0; i < n; ++i)
    if (FLUSHES && fpclassify(dw[i]) == FP_SUBNORMAL) dw[i] = 0;
}
