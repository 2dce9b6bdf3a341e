#pragma once
/// Instruction sets for which the identity is not compiled: those that add nothing to others here, and those
/// whose vectors have no length that the compiler knows.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
