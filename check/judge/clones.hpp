#pragma once

/// Compiles a function for several instruction sets, of which the loader takes what the machine has. clang 16
/// leaves out inline functions that such a function alone calls, and then does not link.
#ifdef __clang__
#define WGRADCHECK_FOR_EACH_CPU
#else
#define WGRADCHECK_FOR_EACH_CPU __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#endif
