/* A program in C as a user would write it against the documented header; caller.cpp compiles it as C++. */
#include "targets/include/conv_grad_filter.h"
#include "targets/include/wgrad_kernel.h"

int get_core_id(void) { return 0; }
int GetLogicCoreId(int core_mask, int core_id) { return core_mask == 1 && core_id == 0 ? 0 : -1; }
int GetCoreNum(int core_mask) { return core_mask == 1; }
void sys_bar(int barrier_id, int core_num) {
  (void)barrier_id;
  (void)core_num;
}

static ConvParameter example(void* workspace) {
  ConvParameter param;
  param.workspace_ = workspace;
  param.output_batch_ = param.input_batch_ = 1;
  param.input_h_ = param.input_w_ = 3;
  param.output_h_ = param.output_w_ = 2;
  param.input_channel_ = param.output_channel_ = 1;
  param.kernel_h_ = param.kernel_w_ = 2;
  param.group_ = 1;
  param.pad_l_ = param.pad_u_ = param.pad_d_ = param.pad_r_ = 0;
  param.dilation_h_ = param.dilation_w_ = 1;
  param.stride_h_ = param.stride_w_ = 1;
  param.buffer_size_ = 64;
  return param;
}

int main(void) {
  float dy[4] = {1, 2, 3, 4};
  float x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  float out_dw[4];
  float workspace[64];
  float16 hp_dy[4], hp_x[9], hp_dw[4];
  ConvParameter param = example(workspace);

  if (required_workspace_bytes(&param, 1, sizeof(float)) != (int64_t)sizeof workspace) return 1;
  if (safe_workspace_bytes(&param, 1, sizeof(float)) != (int64_t)sizeof workspace + 16) return 2;
  conv_grad_filter_clear(out_dw, &param, sizeof(float));
  fp_conv_grad_filter_p(dy, x, out_dw, NULL, &param);
  fp_conv_grad_filter_s(dy, x, out_dw, NULL, &param, 1);
  if (conv_grad_filter_last_error() != NULL || conv_grad_filter_last_warning() != NULL) return 3;
  if (conv_grad_filter_last_path() == NULL || conv_grad_filter_last_path()[0] != 'd') return 4;
  if (out_dw[0] != 2 * 37 || out_dw[1] != 2 * 47 || out_dw[2] != 2 * 67 || out_dw[3] != 2 * 77) return 5;

  param.stride_h_ = 0;
  hp_conv_grad_filter_p(hp_dy, hp_x, hp_dw, NULL, &param);
  hp_conv_grad_filter_s(hp_dy, hp_x, hp_dw, NULL, &param, 1);
  return conv_grad_filter_last_error() == NULL ? 6 : 0;
}
