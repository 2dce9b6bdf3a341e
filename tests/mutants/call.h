/* What the kernels here share: short names for the numbers of a call, the element type, and the entry points.
 */
#ifndef CALL_H
#define CALL_H
#include "../../targets/include/conv_grad_filter.h"

#define N p->output_batch_
#define IH p->input_h_
#define IW p->input_w_
#define OH p->output_h_
#define OW p->output_w_
#define CI p->input_channel_
#define CO p->output_channel_
#define KH p->kernel_h_
#define KW p->kernel_w_
#define G p->group_
#define PU p->pad_u_
#define PL p->pad_l_
#define SH p->stride_h_
#define SW p->stride_w_
#define DH p->dilation_h_
#define DW p->dilation_w_
#define INS (CI / G)
#define OUTS (CO / G)
#define COLUMNS (KH * KW * INS)
#define PLANE (OH * OW)

#ifdef HALF
typedef float16 Real;
#define PRIVATE hp_conv_grad_filter_p
#define SHARED hp_conv_grad_filter_s
#else
typedef float Real;
#define PRIVATE fp_conv_grad_filter_p
#define SHARED fp_conv_grad_filter_s
#endif

#define PRIVATE_KERNEL void PRIVATE(Real* dy, Real* in, Real* dw, Real* bias, ConvParameter* p)
#define SHARED_KERNEL void SHARED(Real* dy, Real* in, Real* dw, Real* bias, ConvParameter* p, int core_mask)

/* Heads of loops, free of spaces so that a flag of the compiler can hold one. */
#define UP(i, first, end) \
  int i = (first);        \
  i < (end);              \
  i++
#define DOWN(i, end) \
  int i = (end)-1;   \
  i >= 0;            \
  i--
#define STEPS(i, first, end, step) \
  int i = (first);                 \
  i < (end);                       \
  i += (step)

/* Where the tensors hold an element. */
#define DY_AT(n, oh, ow, co) ((((n)*OH + (oh)) * OW + (ow)) * CO + (co))
#define IN_AT(n, y, x, ci) ((((n)*IH + (y)) * IW + (x)) * CI + (ci))
#define DW_AT(co, kh, kw, ci) ((((co)*KH + (kh)) * KW + (kw)) * INS + (ci))

#endif
