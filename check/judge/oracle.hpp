#pragma once
#include <cstdint>
#include <vector>

#include "check/judge/data.hpp"
#include "spec/index.hpp"

namespace wgradcheck::check {

/// The exact sum of every dW element, in dW's order, without the old value and the bias. Judges each output
/// and tap by spec::touches, once a position, and shares no code with the kernels.
std::vector<std::int32_t> exact_sums(const spec::Shape&, const Integers& dy, const Integers& x);

/// As exact_sums, for integers whose sums need 64 bits.
std::vector<std::int64_t> exact_long_sums(const spec::Shape&, const Integers& dy, const Integers& x);

/// The exact sums of one row of dW, the in_per_group elements of output channel row / taps and tap row %
/// taps.
std::vector<std::int32_t> exact_row(const spec::Shape&, const Integers& dy, const Integers& x,
                                    std::int64_t row);

/// Whether every group has one input channel and a few output channels at most, so that the plain sum is as
/// quick as any check.
bool is_channelwise(const spec::Shape&);

/// For every dW element, whether one of its products has a factor among the non-finite elements of dy and x,
/// or, where the kernel adds to it, whether it was not finite itself.
std::vector<bool> meets_non_finite(const spec::Shape&, const Data&, bool adds);

}  // namespace wgradcheck::check
