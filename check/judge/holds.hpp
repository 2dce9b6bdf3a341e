#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "check/case.hpp"

namespace wgradcheck::check {

/// Whether the elements of a tensor are these integers, each below 2^25 in magnitude and rounded to nearest
/// even, bit by bit but for the sign of a zero.
bool holds(DType, std::span<const std::byte> tensor, std::span<const std::int32_t> values);

}  // namespace wgradcheck::check
