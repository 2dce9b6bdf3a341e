#include "check/judge/channels.hpp"

#include "check/judge/vector_targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "check/judge/channels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::check::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Channels [first, channels), one after another.
void add_each(const std::int16_t* dy, const std::int16_t* x, std::int64_t channels, std::int64_t first,
              const Run& run, std::int32_t* sums) {
  for (std::size_t row = 0; row < run.dy.size(); ++row)
    for (std::int64_t column = 0; column < run.columns; ++column) {
      const std::int16_t* const a = dy + (run.dy[row] + column) * channels;
      const std::int16_t* const b = x + (run.x[row] + column * run.stride) * channels;
      for (std::int64_t c = first; c < channels; ++c) sums[c] += a[c] * b[c];
    }
}

#if HWY_TARGET == HWY_SCALAR

void AddChannelProducts(const std::int16_t* dy, const std::int16_t* x, std::int64_t channels,
                        std::span<const Run> taps, std::int32_t* sums) {
  for (const Run& run : taps) {
    add_each(dy, x, channels, 0, run, sums);
    sums += channels;
  }
}

#else

/// As many channels from dy, x and sums on as the vector has lanes. Two columns are multiplied at once, the
/// numbers of a channel side by side.
template <class D>
HWY_INLINE void add_vector(D d, const std::int16_t* dy, const std::int16_t* x, std::int64_t channels,
                           const Run& run, std::int32_t* sums) {
  using Sums = hn::Repartition<std::int32_t, D>;
  auto lower = hn::Zero(Sums()), upper = lower, more = lower, still_more = lower;
  const auto add = [&](hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> p, hn::Vec<D> q) HWY_ATTR {
    lower = hn::ReorderWidenMulAccumulate(Sums(), hn::InterleaveLower(d, a, b), hn::InterleaveLower(d, p, q),
                                          lower, more);
    upper = hn::ReorderWidenMulAccumulate(Sums(), hn::InterleaveUpper(d, a, b), hn::InterleaveUpper(d, p, q),
                                          upper, still_more);
  };
  const std::int64_t step = run.stride * channels;
  for (std::size_t row = 0; row < run.dy.size(); ++row) {
    const std::int16_t *a = dy + run.dy[row] * channels, *b = x + run.x[row] * channels;
    std::int64_t column = 0;
    for (; column + 1 < run.columns; column += 2, a += 2 * channels, b += 2 * step)
      add(hn::LoadU(d, a), hn::LoadU(d, a + channels), hn::LoadU(d, b), hn::LoadU(d, b + step));
    if (column < run.columns) add(hn::LoadU(d, a), hn::Zero(d), hn::LoadU(d, b), hn::Zero(d));
  }
  constexpr std::size_t kBlock = 4, kSums = hn::MaxLanes(Sums());
  std::int32_t lowers[kSums], uppers[kSums];
  hn::StoreU(hn::RearrangeToOddPlusEven(lower, more), Sums(), lowers);
  hn::StoreU(hn::RearrangeToOddPlusEven(upper, still_more), Sums(), uppers);
  // Lanes were interleaved within blocks of eight.
  for (std::size_t i = 0; i < kSums; ++i) {
    const std::size_t channel = i / kBlock * 2 * kBlock + i % kBlock;
    sums[channel] += lowers[i];
    sums[channel + kBlock] += uppers[i];
  }
}

/// Vectors of at most Lanes channels from `first` on, as far as whole ones go: all taps of one after those of
/// another, for which its channels stay in the first-level cache.
template <std::size_t Lanes>
HWY_INLINE std::int64_t add_vectors(const std::int16_t* dy, const std::int16_t* x, std::int64_t channels,
                                    std::int64_t first, std::span<const Run> taps, std::int32_t* sums) {
  const hn::CappedTag<std::int16_t, Lanes> d;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(hn::CappedTag<std::int16_t, Lanes>()));
  for (; first + kLanes <= channels; first += kLanes)
    for (std::size_t tap = 0; tap < taps.size(); ++tap)
      add_vector(d, dy + first, x + first, channels, taps[tap],
                 sums + static_cast<std::int64_t>(tap) * channels + first);
  return first;
}

void AddChannelProducts(const std::int16_t* dy, const std::int16_t* x, std::int64_t channels,
                        std::span<const Run> taps, std::int32_t* sums) {
  std::int64_t first = add_vectors<32>(dy, x, channels, 0, taps, sums);
  first = add_vectors<16>(dy, x, channels, first, taps, sums);
  first = add_vectors<8>(dy, x, channels, first, taps, sums);
  for (std::size_t tap = 0; first < channels && tap < taps.size(); ++tap)
    add_each(dy, x, channels, first, taps[tap], sums + static_cast<std::int64_t>(tap) * channels);
}

#endif

}  // namespace wgradcheck::check::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wgradcheck::check {
namespace {
HWY_EXPORT(AddChannelProducts);
}  // namespace

void add_channel_products(const std::int16_t* dy, const std::int16_t* x, std::int64_t channels,
                          std::span<const Run> taps, std::int32_t* sums) {
  HWY_DYNAMIC_DISPATCH(AddChannelProducts)(dy, x, channels, taps, sums);
}

}  // namespace wgradcheck::check
#endif
