#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "check/judge/data.hpp"

namespace wgradcheck::check {

/// The exact sum of every dW element as a fast kernel computes it, after the randomised identity has shown
/// that they are; nothing where the kernel does not take the shape or the identity fails. dy and x are such
/// that float sums are exact.
std::optional<std::vector<std::int32_t>> certified_sums(const spec::Shape&, const Integers& dy,
                                                        const Integers& x);

}  // namespace wgradcheck::check
