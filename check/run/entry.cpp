#include "check/run/entry.hpp"

#include <dlfcn.h>
#include <link.h>

#include <bit>
#include <cstdlib>

namespace wgradcheck::check {
namespace {

void* open_library(const Kernel& kernel) {
  // Threads that spin while they wait take the processor from the checker.
  if (kernel.abi->host) setenv("OMP_WAIT_POLICY", "passive", 0);
  if (!kernel.peer_library.empty() && dlopen(kernel.peer_library.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr)
    return nullptr;
  return dlopen(kernel.library.c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

std::variant<Entry, std::string> Entry::load(const Kernel& kernel) {
  Entry e;
  void* const library = open_library(kernel);
  if (library != nullptr) e.entry_ = dlsym(library, kernel.symbol.c_str());
  if (e.entry_ != nullptr && has_query(*kernel.abi)) e.query_ = dlsym(library, query_symbol(kernel).c_str());
  if (e.entry_ == nullptr || (has_query(*kernel.abi) && e.query_ == nullptr)) {
    const char* const error = dlerror();
    return std::string(error == nullptr ? "no such symbol" : error);
  }
  e.takes_mask_ = kernel.abi->shared;
  e.takes_tiling_ = kernel.abi->ascend;
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0) e.base_ = map->l_addr;
  return e;
}

std::int64_t Entry::ask(const wgrad_problem& problem, std::array<char, WGRAD_TEXT>& text) const {
  const auto answer = reinterpret_cast<decltype(&wgrad_kernel_workspace)>(query_);
  text.fill('\0');
  const std::int64_t workspace = answer(&problem, text.data());
  text.back() = '\0';
  return workspace;
}

int Entry::call(const Layout& layout, bool has_bias, std::uint32_t core_mask, int rank) const {
  const auto at = [&layout](BufferId id) -> void* { return layout[id].data; };
  void* const bias = has_bias ? at(BufferId::bias) : nullptr;
  if (query_ != nullptr)
    return reinterpret_cast<decltype(&wgrad_kernel)>(entry_)(
        static_cast<const wgrad_problem*>(at(BufferId::param)), at(BufferId::dy), at(BufferId::x),
        at(BufferId::dw), at(BufferId::workspace));
  if (takes_tiling_) {
    using Ascend = void (*)(const void*, const void*, float*, const void*, int, int);
    reinterpret_cast<Ascend>(entry_)(at(BufferId::x), at(BufferId::dy), static_cast<float*>(at(BufferId::dw)),
                                     at(BufferId::param), rank, std::popcount(core_mask));
  } else if (takes_mask_) {
    using Shared = void (*)(void*, void*, void*, void*, void*, int);
    reinterpret_cast<Shared>(entry_)(at(BufferId::dy), at(BufferId::x), at(BufferId::dw), bias,
                                     at(BufferId::param), static_cast<int>(core_mask));
  } else {
    using Private = void (*)(void*, void*, void*, void*, void*);
    reinterpret_cast<Private>(entry_)(at(BufferId::dy), at(BufferId::x), at(BufferId::dw), bias,
                                      at(BufferId::param));
  }
  return 0;
}

}  // namespace wgradcheck::check
