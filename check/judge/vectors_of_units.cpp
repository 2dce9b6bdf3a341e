#include <algorithm>
#include <numeric>

#include "check/judge/vector_targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "check/judge/vectors_of_units.cpp"
#include <hwy/foreach_target.h>

#include "check/judge/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::check::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void WeighUnits(const std::int16_t* units, std::int64_t step, std::int64_t count, std::int64_t width,
                const Pieces& pieces, const std::array<std::uint32_t*, kRounds>& out) {
  for (std::int64_t unit = 0; unit < count; ++unit)
    for (std::size_t r = 0; r < kRounds; ++r) {
      std::int64_t sum = 0;
      for (std::int64_t c = 0; c < width; ++c) {
        const auto at = static_cast<std::size_t>(c);
        sum += (std::int64_t{pieces[2 * r + 1][at]} * 65536 + pieces[2 * r][at]) * units[unit * step + c];
      }
      out[r][unit] = residue(sum);
    }
}

#else

constexpr std::size_t kPieces = 2 * kRounds;

/// A vector of channels; or of half as many, each with a 0 beside it.
template <bool Single>
HWY_INLINE hn::Vec<D16> channels_at(const std::int16_t* from) {
  if constexpr (Single)
    return hn::BitCast(D16(), hn::PromoteTo(D32(), hn::LoadU(hn::Rebind<std::uint16_t, D32>(),
                                                             reinterpret_cast<const std::uint16_t*>(from))));
  else
    return hn::LoadU(D16(), from);
}

/// sums[piece] += the sums of each two neighbours of so many vectors of channels times their weights' pieces:
/// below 2^27 in magnitude for each vector.
template <bool Single = false>
HWY_INLINE void add_pairs(const std::int16_t* channels, std::int64_t vectors,
                          const std::int16_t* const* pieces, V32* sums) {
  V32 upper[kPieces];
  for (V32& u : upper) u = hn::Zero(D32());
  for (std::int64_t c = 0; c < vectors * kLanes16; c += kLanes16) {
    const auto x = channels_at<Single>(channels + c);
    for (std::size_t i = 0; i < kPieces; ++i)
      sums[i] = hn::ReorderWidenMulAccumulate(D32(), x, hn::LoadU(D16(), pieces[i] + c), sums[i], upper[i]);
  }
  for (std::size_t i = 0; i < kPieces; ++i) sums[i] = hn::RearrangeToOddPlusEven(sums[i], upper[i]);
}

/// Sums of narrow units, a unit a lane: from Leaves places that lie `step` apart, each of so many vectors.
template <std::int64_t Leaves, bool Single>
HWY_INLINE void sum_narrow(const std::int16_t* units, std::int64_t step, std::int64_t vectors,
                           const std::int16_t* const* pieces, V32* sums) {
  if constexpr (Leaves == 1) {
    for (std::size_t i = 0; i < kPieces; ++i) sums[i] = hn::Zero(D32());
    add_pairs<Single>(units, vectors, pieces, sums);
  } else {
    V32 first[kPieces], second[kPieces];
    sum_narrow<Leaves / 2, Single>(units, step, vectors, pieces, first);
    sum_narrow<Leaves / 2, Single>(units + Leaves / 2 * step, step, vectors, pieces, second);
    for (std::size_t i = 0; i < kPieces; ++i)
      sums[i] =
          hn::Add(hn::ConcatEven(D32(), second[i], first[i]), hn::ConcatOdd(D32(), second[i], first[i]));
  }
}

/// The residues of low + 2^16 * high, both below 2^31 - 2^19 in magnitude.
HWY_INLINE VU32 residues_of(V32 low, V32 high) {
  // 2^31 more and 2^16 times 2^15 less; then low + 5 * (high / 2^16) is not negative.
  const auto shifted = hn::Sub(high, hn::Set(D32(), 1 << 15));
  const auto over = hn::ShiftRight<16>(shifted);
  const auto small = hn::BitCast(
      DU32(), hn::Add(hn::Xor(low, hn::Set(D32(), INT32_MIN)), hn::Add(over, hn::ShiftLeft<2>(over))));
  const auto sum = hn::Add(small, hn::BitCast(DU32(), hn::ShiftLeft<16>(shifted)));
  // 2^32 is lost where the sum wraps, and then the sum is below 2^32 - 2^16.
  const auto five = hn::IfThenElseZero(hn::Lt(sum, small), hn::Set(DU32(), 5));
  const auto whole = hn::Add(sum, five);
  return hn::Min(whole, hn::Sub(whole, hn::Set(DU32(), kPrime)));
}

template <std::int64_t Leaves, bool Single = false>
void weigh_narrow(const std::int16_t* units, std::int64_t count, std::int64_t width,
                  const std::int16_t* const* pieces, const std::array<std::uint32_t*, kRounds>& out) {
  const std::int64_t vectors = std::max<std::int64_t>(width / kLanes16, 1), step = vectors * kLanes16;
  for (std::int64_t unit = 0; unit < count; unit += kLanes32) {
    V32 sums[kPieces];
    sum_narrow<Leaves, Single>(units + unit * width, step, vectors, pieces, sums);
    for (std::size_t r = 0; r < kRounds; ++r)
      hn::StoreU(residues_of(sums[2 * r], sums[2 * r + 1]), DU32(), out[r] + unit);
  }
}

/// sums[round] of one unit, to be summed over the lanes.
HWY_INLINE void sum_wide(const std::int16_t* channels, std::int64_t width, const std::int16_t* const* pieces,
                         V64* sums) {
  // So many products of 2^27 fit 32 bits.
  constexpr std::int64_t kMost = 15;
  const auto one = hn::Set(D32(), 1), shift = hn::Set(D32(), 1 << 16);
  const std::int64_t vectors = width / kLanes16;
  for (std::size_t r = 0; r < kRounds; ++r) sums[r] = hn::Zero(D64());
  for (std::int64_t v = 0; v < vectors; v += kMost) {
    const std::int16_t* from[kPieces];
    V32 pairs[kPieces];
    for (std::size_t i = 0; i < kPieces; ++i) {
      from[i] = pieces[i] + v * kLanes16;
      pairs[i] = hn::Zero(D32());
    }
    add_pairs(channels + v * kLanes16, std::min(kMost, vectors - v), from, pairs);
    for (std::size_t r = 0; r < kRounds; ++r) {
      const auto low = pairs[2 * r], high = pairs[2 * r + 1];
      sums[r] = hn::Add(sums[r], hn::Add(hn::MulEven(low, one), hn::MulEven(odds(low), one)));
      sums[r] = hn::Add(sums[r], hn::Add(hn::MulEven(high, shift), hn::MulEven(odds(high), shift)));
    }
  }
}

/// sums[round] of Units wide units, the lanes of each added up to as many lanes as make a vector.
template <std::int64_t Units>
HWY_INLINE void sum_units(const std::int16_t* units, std::int64_t step, std::int64_t width,
                          const std::int16_t* const* pieces, V64* sums) {
  if constexpr (Units == 1) {
    sum_wide(units, width, pieces, sums);
  } else {
    V64 first[kRounds], second[kRounds];
    sum_units<Units / 2>(units, step, width, pieces, first);
    sum_units<Units / 2>(units + Units / 2 * step, step, width, pieces, second);
    for (std::size_t r = 0; r < kRounds; ++r)
      sums[r] =
          hn::Add(hn::ConcatEven(D64(), second[r], first[r]), hn::ConcatOdd(D64(), second[r], first[r]));
  }
}

void weigh_wide(const std::int16_t* units, std::int64_t step, std::int64_t count, std::int64_t width,
                const std::int16_t* const* pieces, const std::array<std::uint32_t*, kRounds>& out) {
  const hn::Rebind<std::uint32_t, DU64> narrow;
  for (std::int64_t unit = 0; unit < count; unit += kLanes64) {
    V64 sums[kRounds];
    sum_units<kLanes64>(units + unit * step, step, width, pieces, sums);
    for (std::size_t r = 0; r < kRounds; ++r)
      hn::StoreU(hn::TruncateTo(narrow, residues(sums[r])), narrow, out[r] + unit);
  }
}

void WeighUnits(const std::int16_t* units, std::int64_t step, std::int64_t count, std::int64_t width,
                const Pieces& pieces, const std::array<std::uint32_t*, kRounds>& out) {
  const std::int16_t* from[kPieces];
  for (std::size_t i = 0; i < kPieces; ++i) from[i] = pieces[i].data();
  if (width > kNarrow) return weigh_wide(units, step, count, width, from, out);
  // As many units as a vector has lanes of 32 bits take so many vectors, or sums of vectors.
  switch (std::min(width / 2, kLanes32)) {
    case 0:
      return weigh_narrow<1, true>(units, count, width, from, out);
    case 1:
      return weigh_narrow<1>(units, count, width, from, out);
    case 2:
      return weigh_narrow<2>(units, count, width, from, out);
    case 4:
      return weigh_narrow<4>(units, count, width, from, out);
    case 8:
      return weigh_narrow<std::min<std::int64_t>(8, kLanes32)>(units, count, width, from, out);
    default:
      return weigh_narrow<std::min<std::int64_t>(16, kLanes32)>(units, count, width, from, out);
  }
}

#endif

}  // namespace wgradcheck::check::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wgradcheck::check {
namespace {
HWY_EXPORT(WeighUnits);
}  // namespace

void weigh_units(const std::int16_t* units, std::int64_t step, std::int64_t count, std::int64_t width,
                 const Pieces& pieces, const std::array<std::uint32_t*, kRounds>& out) {
  HWY_DYNAMIC_DISPATCH(WeighUnits)(units, step, count, width, pieces, out);
}

}  // namespace wgradcheck::check
#endif
