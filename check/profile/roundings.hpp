#pragma once
#include "check/profile/line.hpp"

namespace wgradcheck::check {

/// How often a sum wider than the element type is rounded to that on its way.
enum class Partials { none, each_chunk, each_image, each_core, unclear };

struct Roundings {
  Partials partials = Partials::unclear;
  Fact fact;
};

/// Learns it of a path whose accumulator has so many bits: the products are ones but for M and -M at two
/// places, M being so large that the element type, but not the accumulator, loses the ones beside it. What is
/// lost counts the ones that were summed before the last rounding in between. `core_mask` names the most
/// cores that the kernel is asked to use.
Roundings learn_roundings(const Probe&, spec::Path, int accumulator_bits, std::uint32_t core_mask);

}  // namespace wgradcheck::check
