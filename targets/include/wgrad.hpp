#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>

#include "wgrad_kernel.h"

namespace wgradcheck {

/// Computes dw of a problem by the library that is linked, with a workspace of its own. Shapes and layouts
/// are those of wgrad_kernel.h. Throws std::invalid_argument with the library's reason where the problem is
/// not supported, std::runtime_error where it could not be computed, std::bad_alloc.
inline void weight_gradient(const wgrad_problem& problem, const void* dy, const void* x, void* dw) {
  constexpr std::align_val_t kAlign{64};
  char text[WGRAD_TEXT] = "";
  const std::int64_t bytes = wgrad_kernel_workspace(&problem, text);
  if (bytes < 0) throw std::invalid_argument(text[0] ? text : "the problem is not supported");
  const auto release = [=](void* memory) { ::operator delete(memory, kAlign); };
  const std::unique_ptr<void, decltype(release)> workspace(
      bytes ? ::operator new(static_cast<std::size_t>(bytes), kAlign) : nullptr, release);
  if (wgrad_kernel(&problem, dy, x, dw, workspace.get()) != 0)
    throw std::runtime_error("the weight gradient could not be computed");
}

}  // namespace wgradcheck
