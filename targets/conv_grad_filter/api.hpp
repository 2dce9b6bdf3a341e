#pragma once
/// The documented header; what it declares is what a platform's shared object exports.
#pragma GCC visibility push(default)
#include "targets/include/conv_grad_filter.h"
#pragma GCC visibility pop

// The machine's functions come from the program that loads a platform; without them it can still call `_p`.
#pragma weak get_core_id
#pragma weak GetLogicCoreId
#pragma weak GetCoreNum
#pragma weak sys_bar
