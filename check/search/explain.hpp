#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "check/judge/court.hpp"

/// What may lie behind a finding, so that it is told as what it is.
namespace wgradcheck::check {

/// Whether the trial's case comes out wrong on exact data as well, about which rounding, and what Inf and NaN
/// do, say nothing.
bool wrong_on_exact_data(Court&, Trial, int exact_bits);

/// Data on which a kernel is right that is wrong on others, and a sentence on why that is no counterexample.
struct Excuse {
  int exact_bits;
  std::string why;
  const char* promise = nullptr;  ///< that it is held to from then on
};

/// That of a 16-bit kernel that promised no wider accumulator and is right on data exact in its element type,
/// as it is not on the trial's.
std::optional<Excuse> right_in_narrow_sums(Court&, Trial);

/// That of a kernel that does not say whether it transforms, where what it loses on the trial's data is what
/// a transform such as Winograd's may lose.
std::optional<Excuse> right_in_transformed_sums(Court&, Trial);

/// That of a kernel with dW in float that does not say whether it transforms, where it errs as Fourier
/// transforms may: by what grows with the data and rounds to integers, though they need not be the right
/// ones.
std::optional<Excuse> errs_as_fft(Court&, Trial, const Finding&);

/// The least alignment, in bytes and above the trial's own, that cures a stray access or a crash; nothing
/// where none does or where one is promised.
std::optional<std::int64_t> curing_alignment(Court&, Trial, Property);

/// Runs under sanitizers that were not made after one that hung, or because the kernel does not load there,
/// in words; nothing where there are none.
std::optional<std::string> not_made(std::span<const Ruling> sanitized);

/// What to note where each of them returned with memory that it had allocated and not freed.
std::optional<std::string> leaks(std::span<const Ruling> sanitized);

/// The stray access of a trial where guard pages show it too, which shrink it much faster than sanitizers.
std::optional<Trial> under_guard_pages(Court&, Trial);

}  // namespace wgradcheck::check
