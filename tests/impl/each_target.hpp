#pragma once
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>

namespace wgradcheck {

/// Runs body once for every instruction set that this machine has and the kernels were compiled for.
template <class Body>
void on_each_target(const Body& body) {
  for (std::int64_t all = hwy::SupportedTargets(); all != 0; all &= all - 1) {
    hwy::SetSupportedTargetsForTest(all & -all);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    SCOPED_TRACE(hwy::TargetName(all & -all));
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

}  // namespace wgradcheck
