#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/case.hpp"
#include "check/judge/data.hpp"

namespace wgradcheck::check {

/// A way in which weight-gradient kernels go wrong, as another formula.
struct Slip {
  const char* id;        ///< stable; as `behaves_as` in reports
  const char* sentence;  ///< completes "your kernel behaves as if ..."
  /// dW after a kernel with this slip, or nothing where the slip leaves the tensors or has no meaning.
  std::optional<std::vector<double>> (*predict)(const Case&, const Data&);
  bool of_old_value = false;  ///< about what dW held, which matters also where it is to be overwritten
};

/// The family of slips that a diagnosis compares a kernel with.
std::span<const Slip> slips();

/// Parts of it.
std::span<const Slip> slips_of_pads();
std::span<const Slip> slips_of_axes();
std::span<const Slip> slips_of_layouts();
std::span<const Slip> slips_of_loops();
std::span<const Slip> slips_of_depth();

}  // namespace wgradcheck::check
