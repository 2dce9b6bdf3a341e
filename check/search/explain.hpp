#pragma once
#include <cstdint>
#include <optional>

#include "check/judge/court.hpp"

/// What may lie behind a finding, so that it is told as what it is.
namespace wgradcheck::check {

/// Whether the trial's case comes out wrong on exact data as well, about which rounding, and what Inf and NaN
/// do, say nothing.
bool wrong_on_exact_data(Court&, Trial, int exact_bits);

/// The bits of the element type where a 16-bit kernel that promised no wider accumulator is right on data
/// exact in that, as it is not on the trial's.
std::optional<int> right_in_narrow_sums(Court&, Trial);

/// The bits in which a kernel that does not say whether it transforms is right, as it is not on the trial's
/// data, where what it loses is what a transform such as Winograd's may lose.
std::optional<int> right_in_transformed_sums(Court&, Trial);

/// The least alignment, in bytes and above the trial's own, that cures a stray access or a crash; nothing
/// where none does or where one is promised.
std::optional<std::int64_t> curing_alignment(Court&, Trial, Property);

/// The stray access of a trial where guard pages show it too, which shrink it much faster than sanitizers.
std::optional<Trial> under_guard_pages(Court&, Trial);

}  // namespace wgradcheck::check
