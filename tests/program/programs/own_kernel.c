/* A program that brings its kernel, and ends by exit. */
#include <stdlib.h>

void fp_conv_grad_filter_p(float* dy, float* x, float* out_dw, float* bias, void* param) {
  (void)bias, (void)param;
  out_dw[0] += dy[0] * x[0];
}

int main(void) {
  float* ddr = (float*)0x80000000;
  ddr[0] = 6, ddr[1] = 7;
  fp_conv_grad_filter_p(ddr, ddr + 1, ddr + 2, 0, 0);
  exit(5);
}
