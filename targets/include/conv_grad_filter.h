#ifndef CONV_GRAD_FILTER_H
#define CONV_GRAD_FILTER_H

#include <stddef.h>
#include <stdint.h>

/* Conv2DBackpropFilterFusion of FT78NE and MT7004: the gradient of a 2D convolution's filter,

     dw[g,co,kh,kw,ci] += sum over n,oh,ow of dy[n,oh,ow,g*Co'+co] * x[n,y,x,g*Ci'+ci]
     y = oh*stride_h_ + kh*dilation_h_ - pad_u_,   x = ow*stride_w_ + kw*dilation_w_ - pad_l_

   with Co' = output_channel_/group_, Ci' = input_channel_/group_ and the term 0 outside the input. x and dy
   are NHWC, dw is [output_channel_][kernel_h_][kernel_w_][Ci']. Valid as gnu C89 to C23 and C++. */

#ifdef __cplusplus
extern "C" {
#endif

/* IEEE binary16; where the compiler has no such type, its bits. */
#ifdef __FLT16_MAX__
__extension__ typedef _Float16 float16;
#else
typedef struct float16 {
  uint16_t bits;
} float16;
#endif

/* What a call computes. Sizes, pads, steps and dilations count elements; a dilation of 1 is dense. */
typedef struct ConvParameter {
  void* workspace_; /* required_workspace_bytes() bytes, aligned as float */
  int output_batch_;
  int input_batch_; /* equals output_batch_ */
  int input_h_;
  int input_w_;
  int output_h_;
  int output_w_;
  int input_channel_;  /* over all groups */
  int output_channel_; /* over all groups */
  int kernel_h_;
  int kernel_w_;
  int group_;
  int pad_l_;
  int pad_u_;
  int dilation_h_;
  int dilation_w_;
  int stride_h_;
  int stride_w_;
  int buffer_size_; /* budget of a chunk, bytes; at least 2 * kernel_h_ * kernel_w_ * Ci' * sizeof(element) */
  int pad_d_;
  int pad_r_;
} ConvParameter;

/* The entry points add into out_dw and never clear it. bias is NULL or kernel_h_ * kernel_w_ * Ci' elements,
   one a column of the matrix product, added once to each element of out_dw; depthwise takes none. A call that
   is refused touches no byte and leaves a reason in conv_grad_filter_last_error().

   _p runs on one core in private memory. _s runs on every core of core_mask (bit i is physical core i) with
   the same arguments. */
void fp_conv_grad_filter_p(float* input_dy, float* input_x, float* out_dw, float* bias,
                           ConvParameter* conv_param);
void hp_conv_grad_filter_p(float16* input_dy, float16* input_x, float16* out_dw, float16* bias,
                           ConvParameter* conv_param);
void fp_conv_grad_filter_s(float* input_dy, float* input_x, float* out_dw, float* bias,
                           ConvParameter* conv_param, int core_mask);
void hp_conv_grad_filter_s(float16* input_dy, float16* input_x, float16* out_dw, float16* bias,
                           ConvParameter* conv_param, int core_mask);

/* Why the calling thread's last call was refused: a sentence that begins with the field's name. NULL when it
   was not. Valid until the thread's next call. */
const char* conv_grad_filter_last_error(void);
/* What the calling thread's last call noticed without refusing it, such as an output extent that differs from
   the floor equation's; NULL when there is nothing. Valid until the thread's next call. */
const char* conv_grad_filter_last_warning(void);
/* The path of the calling thread's last call: "general", "depthwise" or "1x1"; NULL when it was refused. */
const char* conv_grad_filter_last_path(void);

/* Bytes of workspace_ as documented: max(buffer_size_ * 4, core_num * dw_elems * 4), dw_elems being
   output_channel_ * kernel_h_ * kernel_w_ * Ci'; -1 with a reason where a call would be refused.
   element_bytes is 4 or 2. */
int64_t required_workspace_bytes(const ConvParameter* conv_param, int core_num, int element_bytes);
/* Bytes of workspace_ that suffice even for a kernel in which every core keeps scratch and a partial there:
   core_num * 4 * (buffer_size_ + dw_elems); -1 as above. */
int64_t safe_workspace_bytes(const ConvParameter* conv_param, int core_num, int element_bytes);
/* Sets out_dw to zero, as is usual before the first call; does nothing, with a reason, where a call would be
   refused. */
void conv_grad_filter_clear(void* out_dw, const ConvParameter* conv_param, int element_bytes);

/* Supplied by the machine and needed by _s alone. */
int get_core_id(void);                          /* physical number of the calling core */
int GetLogicCoreId(int core_mask, int core_id); /* rank of core_id among the bits set; negative if not set */
int GetCoreNum(int core_mask);                  /* bits set */
void sys_bar(int barrier_id, int core_num);     /* returns when core_num cores have called it */

#ifdef __cplusplus
}
#endif

#endif
