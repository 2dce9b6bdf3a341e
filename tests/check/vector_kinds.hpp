#pragma once
#include <gtest/gtest.h>
#include <hwy/highway.h>

namespace wgradcheck::check {

/// Restores the choice of vectors.
struct AllTargets {
  ~AllTargets() { use(hwy::SupportedTargets()); }
  static void use(std::int64_t targets) { hwy::GetChosenTarget().Update(targets); }
};

/// Calls with every kind of vector that this machine has, and with none.
template <class Check>
void with_every_kind_of_vector(Check check) {
  const AllTargets restore;
  const std::int64_t supported = hwy::SupportedTargets();
  int kinds = 0;
  for (const std::int64_t target : {HWY_AVX3, HWY_AVX2, HWY_SSE4, HWY_SCALAR}) {
    if (!(supported & target)) continue;
    ++kinds;
    AllTargets::use(target);
    SCOPED_TRACE(hwy::TargetName(target));
    check();
  }
  EXPECT_GE(kinds, 1);
}

}  // namespace wgradcheck::check
