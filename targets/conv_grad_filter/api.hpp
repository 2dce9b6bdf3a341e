#pragma once
/// The documented header; what it declares is what a platform's shared object exports.
#pragma GCC visibility push(default)
#include "targets/include/conv_grad_filter.h"
#pragma GCC visibility pop
