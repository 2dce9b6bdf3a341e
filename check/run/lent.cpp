#include "check/run/lent.hpp"

#include <bit>

namespace wgradcheck::check {
namespace {

Core core;

void wait_in(Barrier& barrier, std::uint32_t cores) {
  const std::uint32_t generation = barrier.generation.load();
  if (barrier.waiting.fetch_add(1) + 1 == cores) {
    barrier.waiting.store(0);
    announce(barrier.generation);
  } else {
    await_change(barrier.generation, generation);
  }
}

}  // namespace

void lend(const Core& played) { core = played; }

int physical_id(std::uint32_t core_mask, int rank) {
  for (; rank > 0; --rank) core_mask &= core_mask - 1;
  return std::countr_zero(core_mask);
}

}  // namespace wgradcheck::check

// The machine's own functions, by the documents' names and the C calling convention.
extern "C" {

/// Physical id of the calling core.
[[gnu::visibility("default")]] int get_core_id() { return wgradcheck::check::core.physical_id; }

/// Rank of a core among the set bits of the mask, negative when it is not one of them.
[[gnu::visibility("default")]] int GetLogicCoreId(int core_mask, int core_id) {
  const auto mask = static_cast<std::uint32_t>(core_mask);
  if (core_id < 0 || core_id >= 32 || (mask >> core_id & 1u) == 0) return -1;
  return std::popcount(mask & ((1u << core_id) - 1));
}

/// Cores that the mask names.
[[gnu::visibility("default")]] int GetCoreNum(int core_mask) {
  return std::popcount(static_cast<std::uint32_t>(core_mask));
}

/// Returns once n cores have come to barrier number id.
[[gnu::visibility("default")]] void sys_bar(int id, int n) {
  using namespace wgradcheck::check;
  if (core.barriers == nullptr) return;
  core.waits_in->store(id);
  wait_in((*core.barriers)[static_cast<unsigned>(id) % Core::kBarriers], static_cast<std::uint32_t>(n));
  core.waits_in->store(-1);
}

}  // extern "C"
