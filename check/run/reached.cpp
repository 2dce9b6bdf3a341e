#include "check/run/reached.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace wgradcheck::check {
namespace {

std::array<std::atomic<std::uint8_t>, std::tuple_size_v<Reached>> times;
std::atomic<bool> any{false};  ///< whether there are counts
std::uintptr_t counted_from = 0;

constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15u;  ///< odd, so that near addresses fall apart
constexpr int kIndexBits = std::bit_width(std::tuple_size_v<Reached> - 1);

}  // namespace

void count_places_from(std::uintptr_t base) { counted_from = base; }

bool add_places_to(Reached& reached) {
  bool is_new = false;
  if (!any.load(std::memory_order_relaxed)) return is_new;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const unsigned count = times[i].load(std::memory_order_relaxed);
    if (count == 0) continue;
    times[i].store(0, std::memory_order_relaxed);
    const auto bit = static_cast<std::uint8_t>(1U << (std::bit_width(count) - 1));
    is_new |= (reached[i].fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
  }
  any.store(false, std::memory_order_relaxed);
  return is_new;
}

}  // namespace wgradcheck::check

/// Called by a kernel's code at each of its basic blocks. Counts stay at 255. In a program with libFuzzer the
/// latter's own takes its place.
extern "C" [[gnu::visibility("default"), gnu::weak]] void __sanitizer_cov_trace_pc() {
  using namespace wgradcheck::check;
  const auto place = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - counted_from;
  auto& count = times[place * kSpread >> (64 - kIndexBits)];
  const std::uint8_t before = count.load(std::memory_order_relaxed);
  if (before < 255) count.store(static_cast<std::uint8_t>(before + 1), std::memory_order_relaxed);
  any.store(true, std::memory_order_relaxed);
}
