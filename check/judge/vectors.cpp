#include "check/judge/vectors.hpp"

#include <algorithm>
#include <numeric>

#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "check/judge/vectors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::check::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

// The functions of vectors.hpp, without vectors; below, with them.
void WeighLong(const std::int16_t* rows, std::int64_t step, std::int64_t count, std::int64_t width,
               const std::int32_t* first, const std::int32_t* second, std::int64_t* const* out) {
  for (std::int64_t p = 0; p < count; ++p, rows += step) {
    out[0][p] = out[1][p] = 0;
    for (std::int64_t c = 0; c < width; ++c) {
      out[0][p] += std::int64_t{rows[c]} * first[c];
      out[1][p] += std::int64_t{rows[c]} * second[c];
    }
  }
}

void WeighPairs(const std::int16_t* row, std::int64_t width, const std::int32_t* first,
                const std::int32_t* second, std::int64_t* const* out) {
  for (std::int64_t c = 0; c < width; c += 2) {
    std::int64_t* const to[kRounds] = {out[0] + c / 2, out[1] + c / 2};
    WeighLong(row + c, 2, 1, 2, first + c, second + c, to);
  }
}

Wide AlongRows(const std::uint32_t* dy, const std::uint32_t* x, const RowPairs& pairs) {
  Wide sum;
  for (std::size_t i = 0; i < pairs.dy.size(); ++i)
    for (std::int64_t c = 0; c < pairs.columns; ++c)
      sum.add(std::uint64_t{dy[pairs.dy[i] + c]} * x[pairs.x[i] + c * pairs.stride]);
  return sum;
}

void AcrossGroups(const std::uint32_t* dy, const std::uint32_t* x, std::int64_t groups, const RowPairs& pairs,
                  Wide* sums) {
  std::fill_n(sums, groups, Wide());
  for (std::size_t i = 0; i < pairs.dy.size(); ++i)
    for (std::int64_t c = 0; c < pairs.columns; ++c)
      for (std::int64_t g = 0; g < groups; ++g)
        sums[g].add(std::uint64_t{dy[(pairs.dy[i] + c) * groups + g]} *
                    x[(pairs.x[i] + c * pairs.stride) * groups + g]);
}

void AddWeighedRows(const std::int32_t* rows, std::int64_t step, std::int64_t count,
                    const RowWeights& weights, const std::array<std::int64_t*, kRounds>& sums) {
  for (std::int64_t i = 0; i < kWeighRows; ++i)
    for (std::size_t r = 0; r < kRounds; ++r)
      for (std::int64_t c = 0; c < count; ++c)
        sums[r][c] += std::int64_t{rows[i * step + c]} * weights[r][static_cast<std::size_t>(i)];
}

/// The residues of numbers.
void Residues64(const std::int64_t* numbers, std::int64_t count, std::uint32_t* out) {
  std::transform(numbers, numbers + count, out, residue);
}

#else

// Products of 32 bits fill lanes of 64; a vector of 32-bit lanes holds the even and the odd factors.
using D64 = hn::ScalableTag<std::int64_t>;
using DU64 = hn::ScalableTag<std::uint64_t>;
using D32 = hn::Repartition<std::int32_t, D64>;
using DU32 = hn::Repartition<std::uint32_t, DU64>;
using D16 = hn::Rebind<std::int16_t, D32>;
inline constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(D32()));

/// Channels times their weights, for both rounds: lane i of a sum holds channels 2i and 2i+1.
struct Weighing {
  hn::Vec<D64> sums[kRounds];

  // Written out, since a constructor of the compiler's own has not the target's instructions.
  HWY_INLINE Weighing() { sums[0] = sums[1] = hn::Zero(D64()); }

  HWY_INLINE void add(const std::int16_t* channels, const std::int32_t* first, const std::int32_t* second) {
    const auto even = hn::PromoteTo(D32(), hn::LoadU(D16(), channels));
    const auto odd = odds(even);
    const auto w = hn::LoadU(D32(), first), z = hn::LoadU(D32(), second);
    sums[0] = hn::Add(sums[0], hn::Add(hn::MulEven(even, w), hn::MulEven(odd, odds(w))));
    sums[1] = hn::Add(sums[1], hn::Add(hn::MulEven(even, z), hn::MulEven(odd, odds(z))));
  }
  static HWY_INLINE hn::Vec<D32> odds(hn::Vec<D32> v) {
    return hn::BitCast(D32(), hn::ShiftRight<32>(hn::BitCast(DU64(), v)));
  }
};

void WeighLong(const std::int16_t* rows, std::int64_t step, std::int64_t count, std::int64_t width,
               const std::int32_t* first, const std::int32_t* second, std::int64_t* const* out) {
  for (std::int64_t p = 0; p < count; ++p, rows += step) {
    Weighing w;
    for (std::int64_t c = 0; c < width; c += kLanes) w.add(rows + c, first + c, second + c);
    for (std::size_t r = 0; r < kRounds; ++r) out[r][p] = hn::GetLane(hn::SumOfLanes(D64(), w.sums[r]));
  }
}

void WeighPairs(const std::int16_t* row, std::int64_t width, const std::int32_t* first,
                const std::int32_t* second, std::int64_t* const* out) {
  for (std::int64_t c = 0; c < width; c += kLanes) {
    Weighing w;
    w.add(row + c, first + c, second + c);
    for (std::size_t r = 0; r < kRounds; ++r) hn::StoreU(w.sums[r], D64(), out[r] + c / 2);
  }
}

HWY_INLINE void add_products(hn::Vec<DU64> a, hn::Vec<DU64> b, hn::Vec<DU64>& total, hn::Vec<DU64>& high) {
  const auto product = hn::MulEven(hn::BitCast(DU32(), a), hn::BitCast(DU32(), b));
  total = hn::Add(total, product);
  high = hn::Add(high, hn::ShiftRight<32>(product));
}

HWY_INLINE hn::Vec<DU64> load(const std::uint32_t* from) {
  return hn::PromoteTo(DU64(), hn::LoadU(hn::Rebind<std::uint32_t, DU64>(), from));
}

/// Every Stride-th of the numbers from `from` on; where Stride is 0, every stride-th of `count`.
template <int Stride>
HWY_INLINE hn::Vec<DU64> load(const std::uint32_t* from, std::int64_t stride, std::int64_t count) {
  if constexpr (Stride == 1) return load(from);
  // A multiplication reads lower halves alone.
  if constexpr (Stride == 2) return hn::BitCast(DU64(), hn::LoadU(DU32(), from));
  alignas(64) std::uint64_t lanes[hn::MaxLanes(DU64())] = {};
  for (std::int64_t i = 0; i < std::min<std::int64_t>(count, hn::MaxLanes(DU64())); ++i)
    lanes[i] = from[i * stride];
  return hn::Load(DU64(), lanes);
}

template <int Stride>
Wide along_rows(const std::uint32_t* dy, const std::uint32_t* x, const RowPairs& pairs) {
  constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(DU64()));
  auto total = hn::Zero(DU64()), high = total;
  for (std::size_t i = 0; i < pairs.dy.size(); ++i) {
    const std::uint32_t *a = dy + pairs.dy[i], *b = x + pairs.x[i];
    std::int64_t c = 0;
    for (; c + kStep <= pairs.columns; c += kStep)
      add_products(load(a + c), load<Stride>(b + c * pairs.stride, pairs.stride, kStep), total, high);
    if (const std::int64_t rest = pairs.columns - c; rest > 0)
      add_products(hn::IfThenElseZero(hn::FirstN(DU64(), static_cast<std::size_t>(rest)), load(a + c)),
                   load<Stride>(b + c * pairs.stride, pairs.stride, rest), total, high);
  }
  // Totals wrap, which a sum over signed lanes may not.
  alignas(64) std::uint64_t totals[kStep], highs[kStep];
  hn::Store(total, DU64(), totals);
  hn::Store(high, DU64(), highs);
  return {std::accumulate(totals, totals + kStep, std::uint64_t{0}),
          std::accumulate(highs, highs + kStep, std::uint64_t{0})};
}

Wide AlongRows(const std::uint32_t* dy, const std::uint32_t* x, const RowPairs& pairs) {
  return pairs.stride == 1   ? along_rows<1>(dy, x, pairs)
         : pairs.stride == 2 ? along_rows<2>(dy, x, pairs)
                             : along_rows<0>(dy, x, pairs);
}

/// The sums of Vectors vectors of groups from `first` on.
template <std::size_t Vectors>
void across_groups(const std::uint32_t* dy, const std::uint32_t* x, std::int64_t groups, std::int64_t first,
                   const RowPairs& pairs, Wide* sums) {
  constexpr std::size_t kStep = hn::MaxLanes(DU64());
  hn::Vec<DU64> totals[Vectors], highs[Vectors];
  for (std::size_t v = 0; v < Vectors; ++v) totals[v] = highs[v] = hn::Zero(DU64());
  for (std::size_t i = 0; i < pairs.dy.size(); ++i)
    for (std::int64_t c = 0; c < pairs.columns; ++c) {
      const std::uint32_t* a = dy + (pairs.dy[i] + c) * groups + first;
      const std::uint32_t* b = x + (pairs.x[i] + c * pairs.stride) * groups + first;
      for (std::size_t v = 0; v < Vectors; ++v)
        add_products(load(a + v * kStep), load(b + v * kStep), totals[v], highs[v]);
    }
  alignas(64) std::uint64_t total[kStep], high[kStep];
  for (std::size_t v = 0; v < Vectors; ++v) {
    hn::Store(totals[v], DU64(), total);
    hn::Store(highs[v], DU64(), high);
    for (std::size_t i = 0; i < kStep && v * kStep + i < static_cast<std::size_t>(groups - first); ++i)
      sums[static_cast<std::size_t>(first) + v * kStep + i] = {total[i], high[i]};
  }
}

void AcrossGroups(const std::uint32_t* dy, const std::uint32_t* x, std::int64_t groups, const RowPairs& pairs,
                  Wide* sums) {
  constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(DU64()));
  std::int64_t g = 0;
  for (; g + 3 * kStep < groups; g += 4 * kStep) across_groups<4>(dy, x, groups, g, pairs, sums);
  for (; g < groups; g += kStep) across_groups<1>(dy, x, groups, g, pairs, sums);
}

void AddWeighedRows(const std::int32_t* rows, std::int64_t step, std::int64_t count,
                    const RowWeights& weights, const std::array<std::int64_t*, kRounds>& sums) {
  constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(D64()));
  hn::Vec<D32> w[kRounds][kWeighRows];
  for (std::size_t r = 0; r < kRounds; ++r)
    for (std::size_t i = 0; i < kWeighRows; ++i) w[r][i] = hn::Set(D32(), weights[r][i]);
  for (std::int64_t c = 0; c < count; c += kStep) {
    auto first = hn::LoadU(D64(), sums[0] + c), second = hn::LoadU(D64(), sums[1] + c);
    for (std::int64_t i = 0; i < kWeighRows; ++i) {
      const auto row = hn::BitCast(
          D32(), hn::PromoteTo(D64(), hn::LoadU(hn::Rebind<std::int32_t, D64>(), rows + i * step + c)));
      first = hn::Add(first, hn::MulEven(row, w[0][i]));
      second = hn::Add(second, hn::MulEven(row, w[1][i]));
    }
    hn::StoreU(first, D64(), sums[0] + c);
    hn::StoreU(second, D64(), sums[1] + c);
  }
}

/// The residues of numbers, as residue() takes them.
void Residues64(const std::int64_t* numbers, std::int64_t count, std::uint32_t* out) {
  constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(D64()));
  const auto low = hn::Set(DU64(), 0xffffffff), prime = hn::Set(DU64(), kPrime);
  const auto folded = [low](hn::Vec<DU64> v) HWY_ATTR {
    const auto high = hn::ShiftRight<32>(v);
    return hn::Add(hn::Add(high, hn::ShiftLeft<2>(high)), hn::And(v, low));
  };
  std::int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    const auto number = hn::Add(hn::LoadU(D64(), numbers + i), hn::Set(D64(), kPrime << 29));
    const auto twice = folded(folded(hn::BitCast(DU64(), number)));
    // Where nothing is to be taken off, taking it off wraps to a large number.
    const auto reduced = hn::Min(twice, hn::Sub(twice, prime));
    const hn::Rebind<std::uint32_t, DU64> narrow;
    hn::StoreU(hn::TruncateTo(narrow, reduced), narrow, out + i);
  }
  std::transform(numbers + i, numbers + count, out + i, residue);
}

#endif

/// Each `run` sums in a row, added up, as a residue.
void Reduce(const std::int64_t* sums, std::int64_t run, std::int64_t count, std::uint32_t* out) {
  if (run == 1) return Residues64(sums, count, out);
  constexpr std::int64_t kBlock = 128;
  std::int64_t added[kBlock];
  for (std::int64_t first = 0; first < count; first += kBlock) {
    const std::int64_t some = std::min(kBlock, count - first);
    const std::int64_t* const from = sums + first * run;
    if (run == 2)
      for (std::int64_t i = 0; i < some; ++i) added[i] = from[2 * i] + from[2 * i + 1];
    else
      for (std::int64_t i = 0; i < some; ++i)
        added[i] = std::accumulate(from + i * run, from + (i + 1) * run, std::int64_t{0});
    Residues64(added, some, out + first);
  }
}

}  // namespace wgradcheck::check::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wgradcheck::check {
namespace {
HWY_EXPORT(WeighLong);
HWY_EXPORT(WeighPairs);
HWY_EXPORT(Reduce);
HWY_EXPORT(AlongRows);
HWY_EXPORT(AcrossGroups);
HWY_EXPORT(AddWeighedRows);
}  // namespace

void weigh_rows(const std::int16_t* rows, std::int64_t step, std::int64_t count, std::int64_t width,
                const std::int32_t* first, const std::int32_t* second, std::int64_t* const* out) {
  HWY_DYNAMIC_DISPATCH(WeighLong)(rows, step, count, width, first, second, out);
}

void weigh_pairs(const std::int16_t* row, std::int64_t width, const std::int32_t* first,
                 const std::int32_t* second, std::int64_t* const* out) {
  HWY_DYNAMIC_DISPATCH(WeighPairs)(row, width, first, second, out);
}

void reduce(const std::int64_t* sums, std::int64_t run, std::int64_t count, std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(Reduce)(sums, run, count, out);
}

Wide multiply_rows(const std::uint32_t* dy, const std::uint32_t* x, const RowPairs& pairs) {
  return HWY_DYNAMIC_DISPATCH(AlongRows)(dy, x, pairs);
}

void multiply_groups(const std::uint32_t* dy, const std::uint32_t* x, std::int64_t groups,
                     const RowPairs& pairs, Wide* sums) {
  HWY_DYNAMIC_DISPATCH(AcrossGroups)(dy, x, groups, pairs, sums);
}

void add_weighed_rows(const std::int32_t* rows, std::int64_t step, std::int64_t count,
                      const RowWeights& weights, const std::array<std::int64_t*, kRounds>& sums) {
  HWY_DYNAMIC_DISPATCH(AddWeighedRows)(rows, step, count, weights, sums);
}

}  // namespace wgradcheck::check
#endif
