#pragma once

/// Compiles a function for several instruction sets, of which the loader takes what the machine has.
#define WGRADCHECK_FOR_EACH_CPU __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
