#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace wgradcheck::check {

/// The places of a kernel's code that its calls have reached so far, where it was compiled with
/// -fsanitize-coverage=trace-pc; in memory that workers share. Bit i of a place: one call came there 2^i
/// times or more, but under 2^(i+1). Places beyond the array's size share its bytes.
using Reached = std::array<std::atomic<std::uint8_t>, 1 << 13>;

/// Addresses of code count from here, so that they mean the same in each process.
void count_places_from(std::uintptr_t base);

/// Adds what was reached since the last time; whether any of it is new.
bool add_places_to(Reached&);

}  // namespace wgradcheck::check
