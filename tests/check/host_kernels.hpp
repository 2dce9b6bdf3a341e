#pragma once
#include <string>

#include "tests/check/kernels.hpp"

namespace wgradcheck::check {

/// A kernel in C behind wgrad_kernel.h: right, 2D and 3D, and it keeps its partial sums in a workspace of one
/// float an element of dW. `query` stands before the answer for the workspace and `slip` before the sum; `n`
/// counts elements of dW, `work` is the workspace.
inline std::string host_kernel(const std::string& slip, const std::string& query = "",
                               const std::string& before = "") {
  return R"(
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "wgrad_kernel.h"
)" + before +
         R"(
static int64_t row(const wgrad_problem* p) {
  return p->depth.kernel * p->height.kernel * p->width.kernel * (p->in_channels / p->groups);
}
int64_t wgrad_kernel_workspace(const wgrad_problem* p, char text[WGRAD_TEXT]) {
  const int64_t n = p->out_channels * row(p);
  strcpy(text, "plain");
  )" + query +
         R"(
  return 4 * n;
}
int wgrad_kernel(const wgrad_problem* p, const void* dys, const void* xs, void* dws, void* workspace) {
  const float *dy = dys, *x = xs;
  float *dw = dws, *work = workspace;
  const int64_t n = p->out_channels * row(p), ins = p->in_channels / p->groups,
                outs = p->out_channels / p->groups;
  )" + slip +
         R"(
  for (int64_t i = 0; i < n; ++i) {
    const int64_t ci = i % ins, kw = i / ins % p->width.kernel,
                  kh = i / ins / p->width.kernel % p->height.kernel,
                  kd = i / ins / p->width.kernel / p->height.kernel % p->depth.kernel, co = i / row(p);
    work[i] = p->accumulate ? dw[i] : 0;
    for (int64_t b = 0; b < p->batch; ++b)
      for (int64_t od = 0; od < p->depth.output; ++od)
        for (int64_t oh = 0; oh < p->height.output; ++oh)
          for (int64_t ow = 0; ow < p->width.output; ++ow) {
            const int64_t d = od * p->depth.stride + kd * p->depth.dilation - p->depth.pad_before;
            const int64_t h = oh * p->height.stride + kh * p->height.dilation - p->height.pad_before;
            const int64_t w = ow * p->width.stride + kw * p->width.dilation - p->width.pad_before;
            if (d < 0 || d >= p->depth.input || h < 0 || h >= p->height.input || w < 0 || w >= p->width.input)
              continue;
            work[i] += dy[(((b * p->depth.output + od) * p->height.output + oh) * p->width.output + ow) *
                              p->out_channels + co] *
                       x[(((b * p->depth.input + d) * p->height.input + h) * p->width.input + w) *
                             p->in_channels + co / outs * ins + ci];
          }
  }
  memcpy(dw, work, 4 * n);
  return 0;
}
)";
}

}  // namespace wgradcheck::check
