#pragma once
#include <cstdint>
#include <span>

#include "check/judge/pairs.hpp"

namespace wgradcheck::check {

/// Adds, for each tap and channel of channels-last tensors, the sum over all pairs of dy times x: to
/// sums[tap][channel]. Both are below 2^15 in magnitude, and every sum of products is below 2^31.
void add_channel_products(const std::int16_t* dy, const std::int16_t* x, std::int64_t channels,
                          std::span<const Run> taps, std::int32_t* sums);

}  // namespace wgradcheck::check
