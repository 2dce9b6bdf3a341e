int main(void) {
  ConvParameter* param = (ConvParameter*)0x89000000;
  param->stride_h_ = 0;
  fp_conv_grad_filter_p((float*)0x86000000, (float*)0x87000000, (float*)0x88000000, NULL, param);
  return 0;
}
