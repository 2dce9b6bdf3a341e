/* dW of one element in float16: 1 + 2 * 3. */
void main() {
  float16* ddr = (float16*)0x80000000;
  ConvParameter param = {(void*)0x81000000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 64, 0, 0};
  ddr[0] = 2, ddr[1] = 3, ddr[2] = 1;
  hp_conv_grad_filter_p(ddr, ddr + 1, ddr + 2, NULL, &param);
}
