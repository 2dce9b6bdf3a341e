#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "wgrad_kernel.h"

namespace wgradcheck {

/// A callable that is checked as a kernel of wgrad_kernel.h is, each case in a process of its own: what it
/// changes outside dw and the workspace is not seen by the caller.
struct TestedKernel {
  std::string name;
  /// Computes dw; returns 0, or any other value when it could not.
  std::function<int(const wgrad_problem&, const void* dy, const void* x, void* dw, void* workspace)> run;
  /// Bytes of workspace, negative where the problem is not supported; none is needed where this is empty.
  std::function<std::int64_t(const wgrad_problem&)> workspace{};
  std::string convention = "host_f32";  ///< or host_f16, host_bf16: the type of all tensors
};

/// One of float tensors that takes every problem and needs no workspace.
TestedKernel float_kernel(
    std::string name,
    std::function<void(const wgrad_problem&, const float* dy, const float* x, float* dw)> run);

/// What a check found.
struct Checked {
  enum class Verdict { pass, fail, none } verdict = Verdict::none;
  std::string text;  ///< as `wgradcheck check` prints it
  std::string json;  ///< docs/report.schema.json
  explicit operator bool() const { return verdict == Verdict::pass; }
};

/// Checks a kernel. The words are those of `wgradcheck check` that say what is run and what the kernel is
/// held to, as {"--where", "kh==3", "--cases", "500", "--promise", "acc=f32"}; the replay line of a report
/// ends in such words. Throws std::invalid_argument with one sentence where a word is wrong. Not from several
/// threads.
Checked verify(const TestedKernel&, const std::vector<std::string>& words = {});

}  // namespace wgradcheck
