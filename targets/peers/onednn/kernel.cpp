#include <omp.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <memory>
#include <utility>

#include "targets/peers/onednn/convolution.hpp"

namespace onednn = wgradcheck::targets::onednn;

namespace {

/// Convolutions kept between the question for the workspace and the run, the newest first. As many as the
/// checker asks for at once, and as many again.
constexpr std::size_t kKept = 128;

/// The convolution of a problem, made where it is not kept. Throws NotSupported.
onednn::Convolution& convolution_of(const wgrad_problem& problem) {
  static std::list<std::pair<wgrad_problem, std::unique_ptr<onednn::Convolution>>> kept;
  const auto found = std::ranges::find_if(
      kept, [&problem](const auto& one) { return std::memcmp(&one.first, &problem, sizeof problem) == 0; });
  if (found != kept.end()) return *found->second;
  kept.emplace_front(problem, std::make_unique<onednn::Convolution>(problem));
  if (kept.size() > kKept) kept.pop_back();
  return *kept.front().second;
}

int run(const wgrad_problem& problem, const void* dy, const void* x, void* dw, void* workspace,
        onednn::Convolution::Manner manner) {
  try {
    onednn::Convolution& convolution = convolution_of(problem);
    omp_set_num_threads(static_cast<int>(problem.threads));
    return convolution.run(dy, x, dw, workspace, manner);
  } catch (const onednn::NotSupported&) {
    return -1;
  }
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] std::int64_t wgrad_kernel_workspace(const wgrad_problem* problem,
                                                                   char text[WGRAD_TEXT]) {
  try {
    const onednn::Convolution& convolution = convolution_of(*problem);
    std::strncpy(text, convolution.implementation().c_str(), WGRAD_TEXT - 1);
    return convolution.scratchpad_bytes();
  } catch (const onednn::NotSupported& why) {
    std::strncpy(text, why.reason.c_str(), WGRAD_TEXT - 1);
    return -1;
  }
}

[[gnu::visibility("default")]] int wgrad_kernel(const wgrad_problem* problem, const void* dy, const void* x,
                                                void* dw, void* workspace) {
  return run(*problem, dy, x, dw, workspace, {});
}

// For measuring: nothing is poisoned, and `reorder` says whether dw is brought to the plain layout.
[[gnu::visibility("default")]] int wgrad_peer(const wgrad_problem* problem, const void* dy, const void* x,
                                              void* dw, void* workspace, int reorder) {
  return run(*problem, dy, x, dw, workspace, {.poison = false, .reorder = reorder != 0});
}
}
