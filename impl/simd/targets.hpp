#pragma once

// Instruction sets that would only repeat another one's code, and those whose vectors have no size at compile
// time, which an array of accumulators needs: SVE has one where the compiler is told it, by
// -msve-vector-bits.
#if defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS != 0
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2)
#else
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
