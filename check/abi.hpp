#pragma once
#include <span>
#include <string>
#include <string_view>

#include "check/case.hpp"

namespace wgradcheck::check {

/// A calling convention: how a kernel's entry point is named and called.
struct Abi {
  const char* name;    ///< as --abi takes it
  const char* symbol;  ///< the documented symbol
  DType dtype;         ///< of dy, x, bias and, but for Ascend's float, dW
  bool shared;         ///< takes a core mask and is called on every core
  bool host = false;   ///< wgrad_kernel.h's: takes a wgrad_problem and starts its threads itself
  /// A kernel of conv3d_bp_filter_api.h instead: takes packed tensors and a tiling, called on every core.
  bool ascend = false;
};

/// Every calling convention, in the order in which an exported symbol decides.
std::span<const Abi> abis();

/// The convention of that name or documented symbol; null when there is none.
const Abi* find_abi(std::string_view name_or_symbol);

}  // namespace wgradcheck::check
