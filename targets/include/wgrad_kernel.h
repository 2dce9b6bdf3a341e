#ifndef WGRAD_KERNEL_H
#define WGRAD_KERNEL_H

#include <stdint.h>

/* How a kernel for a host processor is called: the gradient of a convolution's filter,

     dw[g,co,kd,kh,kw,ci] = sum over n,od,oh,ow of dy[n,od,oh,ow,g*Co'+co] * x[n,z,y,x,g*Ci'+ci]
     z = od*stride + kd*dilation - pad_before of depth; y and x are those of height and width

   with Co' = out_channels/groups, Ci' = in_channels/groups and the term 0 outside the input. x and dy are
   NDHWC, dw is [groups][Co'][Kd][Kh][Kw][Ci']. Valid as gnu C89 to C23 and C++.

   A kernel exports wgrad_kernel and wgrad_kernel_workspace, or NAME and NAME_workspace. */

#ifdef __cplusplus
extern "C" {
#endif

/* Types of elements. */
enum { WGRAD_F32 = 0, WGRAD_F16 = 1, WGRAD_BF16 = 2 };

/* One spatial axis; sizes, steps and the pad count elements, a dilation of 1 is dense. An axis that is not
   there has 1 everywhere and no pad. The padding after the input follows from the rest. */
typedef struct wgrad_axis {
  int64_t input, output, kernel, stride, dilation, pad_before;
} wgrad_axis;

typedef struct wgrad_problem {
  int64_t batch, groups;
  int64_t in_channels, out_channels; /* over all groups */
  wgrad_axis depth, height, width;   /* 2D has no depth */
  int64_t in_type;                   /* of dy and x */
  int64_t out_type;                  /* of dw */
  int64_t accumulate;                /* 1: the sum is added to dw; 0: it is stored over dw */
  int64_t threads;                   /* to compute with, at least 1 */
  int64_t implementation; /* of the kernel's n ways to compute this problem, number `this modulo n`;
                             a kernel with one way need not look at it */
} wgrad_problem;

/* Bytes of what wgrad_kernel_workspace may say, the terminating zero included. */
enum { WGRAD_TEXT = 128 };

/* Bytes of workspace that wgrad_kernel needs for this problem, at least 0; `text` may be given the name of
   the implementation. Negative when the problem is not supported; `text` may then be given the reason. It is
   empty at first. Called before wgrad_kernel and in the same process, so that what is prepared here can be
   kept. */
int64_t wgrad_kernel_workspace(const wgrad_problem* problem, char text[WGRAD_TEXT]);

/* Computes dw; returns 0, or any other value when it could not. The tensors are aligned as their elements;
   the workspace, aligned to 64 bytes, has exactly the stated size and holds anything. Neither dy, x nor the
   problem is written, and nothing is touched after the return. */
int wgrad_kernel(const wgrad_problem* problem, const void* dy, const void* x, void* dw, void* workspace);

#ifdef __cplusplus
}
#endif

#endif
