#pragma once
#include <array>
#include <cstdint>

#include "check/run/futex.hpp"

namespace wgradcheck::check {

/// One of sys_bar's barriers, in memory that the cores share.
struct Barrier {
  Word waiting{0}, generation{0};
};

/// What the helper functions that kernels call need to know of the core that this process plays.
struct Core {
  static constexpr int kBarriers = 16;  ///< barrier numbers beyond are taken modulo this

  int physical_id = 0;
  std::array<Barrier, kBarriers>* barriers = nullptr;
  std::atomic<std::int32_t>* waits_in =
      nullptr;  ///< the barrier's number while the core waits in it, else -1
};

/// Makes this process that core for the kernels it runs: get_core_id, GetLogicCoreId, GetCoreNum and sys_bar,
/// which the program exports, answer accordingly.
void lend(const Core&);

/// Physical id of the core of that rank among the set bits of a mask. Requires rank < popcount(mask).
int physical_id(std::uint32_t core_mask, int rank);

}  // namespace wgradcheck::check
