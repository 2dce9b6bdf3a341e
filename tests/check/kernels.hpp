#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "check/kernel.hpp"
#include "check/run/local_executor.hpp"
#include "spec/wgrad.hpp"
#include "tests/check/scratch.hpp"

namespace wgradcheck::check {

/// A case whose buffer_size_ is this is the one in which a kernel of these tests misbehaves.
inline constexpr int kBad = 4242;

/// The documented struct as an author would bring it.
inline const std::string kParameterText = R"(
typedef struct ConvParameter {
  void *workspace_;
  int output_batch_, input_batch_, input_h_, input_w_, output_h_, output_w_, input_channel_, output_channel_;
  int kernel_h_, kernel_w_, group_, pad_l_, pad_u_, dilation_h_, dilation_w_, stride_h_, stride_w_;
  int buffer_size_, pad_d_, pad_r_;
} ConvParameter;
)";

/// A right private kernel in C that runs `slip` first when buffer_size_ is kBad. n_dy, n_x, n_dw and n_bias
/// count elements, n_work floats.
inline std::string private_kernel(const std::string& slip, const std::string& before = "") {
  return R"(
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
)" + kParameterText +
         before + R"(
void fp_conv_grad_filter_p(float *dy, float *x, float *dw, float *bias, ConvParameter *p) {
  const int co_n = p->output_channel_ / p->group_, ci_n = p->input_channel_ / p->group_;
  const int n_dy = p->output_batch_ * p->output_h_ * p->output_w_ * p->output_channel_;
  const int n_x = p->input_batch_ * p->input_h_ * p->input_w_ * p->input_channel_;
  const int n_dw = p->output_channel_ * p->kernel_h_ * p->kernel_w_ * ci_n;
  const int n_bias = p->kernel_h_ * p->kernel_w_ * ci_n;
  const int n_work = 4242;
  float *work = p->workspace_;
  volatile float sink = 0;
  (void)n_dy, (void)n_x, (void)n_dw, (void)n_bias, (void)n_work, (void)work, (void)sink;
  if (p->buffer_size_ == 4242) {
    )" + slip +
         R"(
  }
  for (int i = 0; i < n_dw; ++i) {
    const int ci = i % ci_n, kw = i / ci_n % p->kernel_w_, kh = i / ci_n / p->kernel_w_ % p->kernel_h_;
    const int co = i / ci_n / p->kernel_w_ / p->kernel_h_, g = co / co_n;
    for (int n = 0; n < p->output_batch_; ++n)
      for (int oh = 0; oh < p->output_h_; ++oh)
        for (int ow = 0; ow < p->output_w_; ++ow) {
          const int h = oh * p->stride_h_ + kh * p->dilation_h_ - p->pad_u_;
          const int w = ow * p->stride_w_ + kw * p->dilation_w_ - p->pad_l_;
          if (h < 0 || h >= p->input_h_ || w < 0 || w >= p->input_w_) continue;
          dw[i] += dy[((n * p->output_h_ + oh) * p->output_w_ + ow) * p->output_channel_ + co] *
                   x[((n * p->input_h_ + h) * p->input_w_ + w) * p->input_channel_ + g * ci_n + ci];
        }
  }
}
)";
}

/// A right shared kernel in C that runs `slip` on every core first when buffer_size_ is kBad. Each core sums
/// its share of the images into a partial of its own, then each reduces its share of the elements.
inline std::string shared_kernel(const std::string& slip, const std::string& before = "") {
  return R"(
#include <stdlib.h>
#include <unistd.h>
int get_core_id(void);
int GetLogicCoreId(int core_mask, int core_id);
int GetCoreNum(int core_mask);
void sys_bar(int id, int n);
)" + kParameterText +
         before + R"(
void fp_conv_grad_filter_s(float *dy, float *x, float *dw, float *bias, ConvParameter *p, int core_mask) {
  const int rank = GetLogicCoreId(core_mask, get_core_id()), cores = GetCoreNum(core_mask);
  const int co_n = p->output_channel_ / p->group_, ci_n = p->input_channel_ / p->group_;
  const int n_dw = p->output_channel_ * p->kernel_h_ * p->kernel_w_ * ci_n;
  float *const partial = (float *)p->workspace_ + rank * n_dw;
  if (p->buffer_size_ == 4242) {
    )" + slip +
         R"(
  }
  for (int i = 0; i < n_dw; ++i) {
    const int ci = i % ci_n, kw = i / ci_n % p->kernel_w_, kh = i / ci_n / p->kernel_w_ % p->kernel_h_;
    const int co = i / ci_n / p->kernel_w_ / p->kernel_h_, g = co / co_n;
    partial[i] = 0;
    for (int n = rank; n < p->output_batch_; n += cores)
      for (int oh = 0; oh < p->output_h_; ++oh)
        for (int ow = 0; ow < p->output_w_; ++ow) {
          const int h = oh * p->stride_h_ + kh * p->dilation_h_ - p->pad_u_;
          const int w = ow * p->stride_w_ + kw * p->dilation_w_ - p->pad_l_;
          if (h < 0 || h >= p->input_h_ || w < 0 || w >= p->input_w_) continue;
          partial[i] += dy[((n * p->output_h_ + oh) * p->output_w_ + ow) * p->output_channel_ + co] *
                        x[((n * p->input_h_ + h) * p->input_w_ + w) * p->input_channel_ + g * ci_n + ci];
        }
  }
  sys_bar(0, cores);
  for (int i = rank; i < n_dw; i += cores)
    for (int core = 0; core < cores; ++core) dw[i] += ((float *)p->workspace_)[core * n_dw + i];
  sys_bar(1, cores);
}
)";
}

/// What one case of a test left behind.
struct Ran {
  Outcome outcome;
  std::vector<float> dy, x, dw;
  bool right = false;  ///< dw holds its old value plus the sum
};

/// A small case of buffer_size_ `buffer`: 2 images, 3 to 2 channels, 5x4 to 3x3 with padding above.
inline Case small_case(std::int64_t buffer = 1 << 12, Placement placement = Placement::flush_end) {
  Case c;
  c.shape = {2, 1, 3, 2, spec::kNoAxis, {5, 3, 3, 2, 1, 1}, {4, 3, 2, 1, 1, 0}};
  c.buffer = buffer;
  c.workspace = 4 * kBad;
  c.placement = placement;
  return c;
}

/// The same with buffers of more than a page, which do not fit a slot.
inline Case large_case(std::int64_t buffer = 1 << 12, Placement placement = Placement::flush_end) {
  Case c = small_case(buffer, placement);
  c.shape.batch = 200;
  return c;
}

inline std::span<float> floats(std::span<std::byte> bytes) {
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

/// Runs cases on small integers, dw starting from 1, 2, 3 ... and looks whether dw is right.
inline std::vector<Ran> run(Executor& executor, const std::vector<Case>& cases) {
  std::vector<Ran> ran;
  const auto prepare = [](std::size_t, const Tensors& t) {
    int value = 0;
    for (float& f : floats(t.dy)) f = static_cast<float>(value++ % 7 - 3);
    for (float& f : floats(t.x)) f = static_cast<float>(value++ % 5 - 2);
    for (float& f : floats(t.dw)) f = static_cast<float>(value++ % 3 + 1);
    for (float& f : floats(t.bias)) f = 0;
  };
  executor.run(cases, prepare, [&](std::size_t i, const Tensors& t, const Outcome& outcome) {
    EXPECT_EQ(i, ran.size());
    Ran r{outcome, {}, {}, {}};
    const auto copy = [](std::span<float> from, std::vector<float>& to) {
      to.assign(from.begin(), from.end());
    };
    copy(floats(t.dy), r.dy);
    copy(floats(t.x), r.x);
    copy(floats(t.dw), r.dw);
    const spec::Shape& s = cases[i].shape;
    const auto inputs = static_cast<int>(r.dy.size() + r.x.size());
    r.right = !r.dw.empty();
    for (std::size_t e = 0; e < r.dw.size(); ++e) {
      const auto sum = spec::element<double>(s, spec::element_at(s, static_cast<std::int64_t>(e)),
                                             std::span<const float>(r.dy), std::span<const float>(r.x));
      r.right &= r.dw[e] == sum.value + (inputs + static_cast<int>(e)) % 3 + 1;
    }
    ran.push_back(std::move(r));
  });
  EXPECT_EQ(ran.size(), cases.size());
  return ran;
}

/// An executor of a C kernel given as text.
inline std::unique_ptr<Executor> executor_of(const std::string& source, const Scratch& scratch,
                                             double deadline = 10) {
  const std::string file = scratch.write("kernel.c", source);
  return local_executor(open_kernel({file}, "", "", {}, scratch.path()), {deadline});
}

/// Runs one bad case of a kernel and then a good one, which must be right.
inline Outcome outcome_of(const std::string& slip, Case bad, const std::string& before = "") {
  const Scratch scratch;
  const auto ran = run(*executor_of(private_kernel(slip, before), scratch), {bad, small_case()});
  EXPECT_TRUE(ran[1].right);
  EXPECT_FALSE(ran[1].outcome.stray);
  return ran[0].outcome;
}

}  // namespace wgradcheck::check
