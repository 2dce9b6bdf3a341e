#include <algorithm>
#include <numeric>

#include "check/judge/vector_targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "check/judge/vectors_of_products.cpp"
#include <hwy/foreach_target.h>

#include "check/judge/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::check::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

Wide MultiplyRow(const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) {
  Wide sum;
  for (std::int64_t i = 0; i < count; ++i) sum.add(std::uint64_t{a[i]} * b[i]);
  return sum;
}

Wide MultiplyRows(const std::uint32_t* dy, const std::uint32_t* x, const Run& pairs) {
  Wide sum;
  for (std::size_t i = 0; i < pairs.dy.size(); ++i)
    for (std::int64_t c = 0; c < pairs.columns; ++c)
      sum.add(std::uint64_t{dy[pairs.dy[i] + c]} * x[pairs.x[i] + c * pairs.stride]);
  return sum;
}

void MultiplyGroups(const std::uint32_t* dy, const std::uint32_t* x, std::int64_t groups, const Run& pairs,
                    Wide* sums) {
  for (std::size_t i = 0; i < pairs.dy.size(); ++i)
    for (std::int64_t c = 0; c < pairs.columns; ++c)
      for (std::int64_t g = 0; g < groups; ++g)
        sums[g].add(std::uint64_t{dy[(pairs.dy[i] + c) * groups + g]} *
                    x[(pairs.x[i] + c * pairs.stride) * groups + g]);
}

void CombineRows(std::span<const std::uint32_t* const> rows, const std::uint32_t* factors, std::int64_t count,
                 std::uint32_t* out) {
  for (std::int64_t c = 0; c < count; ++c) {
    Wide sum;
    for (std::size_t i = 0; i < rows.size(); ++i) sum.add(std::uint64_t{rows[i][c]} * factors[i]);
    out[c] = sum.value();
  }
}

#else

HWY_INLINE VU64 widened(const std::uint32_t* from) {
  return hn::PromoteTo(DU64(), hn::LoadU(hn::Rebind<std::uint32_t, DU64>(), from));
}

/// Adds the products of even lanes of 32 bits to sums as Wide holds them.
HWY_INLINE void add_even(VU32 a, VU32 b, VU64& total, VU64& high) {
  const auto product = hn::MulEven(a, b);
  total = hn::Add(total, product);
  high = hn::Add(high, hn::ShiftRight<32>(product));
}

/// The same for all lanes.
HWY_INLINE void add_products(VU32 a, VU32 b, VU64* total, VU64* high) {
  add_even(a, b, total[0], high[0]);
  add_even(odds(a), odds(b), total[1], high[1]);
}

/// The sum of the products of two rows, as lanes of total and high.
HWY_INLINE void add_row(const std::uint32_t* a, const std::uint32_t* b, std::int64_t count, VU64* total,
                        VU64* high) {
  std::int64_t c = 0;
  for (; c + kLanes32 <= count; c += kLanes32)
    add_products(hn::LoadU(DU32(), a + c), hn::LoadU(DU32(), b + c), total, high);
  if (c == count) return;
  const auto some = hn::FirstN(DU32(), static_cast<std::size_t>(count - c));
  add_products(hn::IfThenElseZero(some, hn::LoadU(DU32(), a + c)), hn::LoadU(DU32(), b + c), total, high);
}

/// Totals wrap, which a sum over signed lanes may not.
HWY_INLINE Wide sum_of(VU64 total, VU64 high) {
  alignas(64) std::uint64_t totals[kLanes64], highs[kLanes64];
  hn::Store(total, DU64(), totals);
  hn::Store(high, DU64(), highs);
  return {std::accumulate(totals, totals + kLanes64, std::uint64_t{0}),
          std::accumulate(highs, highs + kLanes64, std::uint64_t{0})};
}

Wide MultiplyRow(const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) {
  VU64 total[2] = {hn::Zero(DU64()), hn::Zero(DU64())}, high[2] = {total[0], total[0]};
  add_row(a, b, count, total, high);
  return sum_of(hn::Add(total[0], total[1]), hn::Add(high[0], high[1]));
}

Wide whole_rows(const std::uint32_t* dy, const std::uint32_t* x, const Run& pairs) {
  VU64 total[2] = {hn::Zero(DU64()), hn::Zero(DU64())}, high[2] = {total[0], total[0]};
  for (std::size_t i = 0; i < pairs.dy.size(); ++i)
    add_row(dy + pairs.dy[i], x + pairs.x[i], pairs.columns, total, high);
  return sum_of(hn::Add(total[0], total[1]), hn::Add(high[0], high[1]));
}

/// In the lower halves of lanes, every Stride-th of the numbers from `from` on; where Stride is 0, every
/// stride-th of `count`.
template <int Stride>
HWY_INLINE VU32 strided(const std::uint32_t* from, std::int64_t stride, std::int64_t count) {
  const auto load = [from](std::int64_t at)
                        HWY_ATTR { return hn::BitCast(DU64(), hn::LoadU(DU32(), from + at)); };
  if constexpr (Stride == 2) return hn::BitCast(DU32(), load(0));
  if constexpr (Stride == 4) return hn::BitCast(DU32(), hn::ConcatEven(DU64(), load(kLanes32), load(0)));
  alignas(64) std::uint64_t lanes[kLanes64] = {};
  for (std::int64_t i = 0; i < std::min(count, kLanes64); ++i) lanes[i] = from[i * stride];
  return hn::BitCast(DU32(), hn::Load(DU64(), lanes));
}

template <int Stride>
Wide strided_rows(const std::uint32_t* dy, const std::uint32_t* x, const Run& pairs) {
  auto total = hn::Zero(DU64()), high = total;
  const std::int64_t stride = pairs.stride;
  for (std::size_t i = 0; i < pairs.dy.size(); ++i) {
    const std::uint32_t *a = dy + pairs.dy[i], *b = x + pairs.x[i];
    std::int64_t c = 0;
    for (; c + kLanes64 <= pairs.columns; c += kLanes64)
      add_even(hn::BitCast(DU32(), widened(a + c)), strided<Stride>(b + c * stride, stride, kLanes64), total,
               high);
    const std::int64_t rest = pairs.columns - c;
    if (rest == 0) continue;
    const auto some = hn::FirstN(DU64(), static_cast<std::size_t>(rest));
    add_even(hn::BitCast(DU32(), hn::IfThenElseZero(some, widened(a + c))),
             strided<Stride>(b + c * stride, stride, rest), total, high);
  }
  return sum_of(total, high);
}

Wide MultiplyRows(const std::uint32_t* dy, const std::uint32_t* x, const Run& pairs) {
  switch (pairs.stride) {
    case 1:
      return whole_rows(dy, x, pairs);
    case 2:
      return strided_rows<2>(dy, x, pairs);
    case 4:
      return strided_rows<4>(dy, x, pairs);
    default:
      return strided_rows<0>(dy, x, pairs);
  }
}

/// The sums of Vectors vectors of groups from `first` on.
template <std::size_t Vectors>
void some_groups(const std::uint32_t* dy, const std::uint32_t* x, std::int64_t groups, std::int64_t first,
                 const Run& pairs, Wide* sums) {
  VU64 totals[2 * Vectors], highs[2 * Vectors];
  for (std::size_t v = 0; v < 2 * Vectors; ++v) totals[v] = highs[v] = hn::Zero(DU64());
  for (std::size_t i = 0; i < pairs.dy.size(); ++i) {
    const std::uint32_t* a = dy + pairs.dy[i] * groups + first;
    const std::uint32_t* b = x + pairs.x[i] * groups + first;
    for (std::int64_t c = 0; c < pairs.columns; ++c, a += groups, b += pairs.stride * groups)
      for (std::size_t v = 0; v < Vectors; ++v)
        add_products(hn::LoadU(DU32(), a + v * hn::MaxLanes(DU32())),
                     hn::LoadU(DU32(), b + v * hn::MaxLanes(DU32())), totals + 2 * v, highs + 2 * v);
  }
  alignas(64) std::uint64_t total[kLanes64], high[kLanes64];
  for (std::size_t v = 0; v < 2 * Vectors; ++v) {
    hn::Store(totals[v], DU64(), total);
    hn::Store(highs[v], DU64(), high);
    std::int64_t group =
        first + static_cast<std::int64_t>(v / 2) * kLanes32 + static_cast<std::int64_t>(v % 2);
    for (std::size_t i = 0; i < kLanes64 && group < groups; ++i, group += 2)
      sums[group] += {total[i], high[i]};
  }
}

void MultiplyGroups(const std::uint32_t* dy, const std::uint32_t* x, std::int64_t groups, const Run& pairs,
                    Wide* sums) {
  std::int64_t g = 0;
  for (; g + 3 * kLanes32 < groups; g += 4 * kLanes32) some_groups<4>(dy, x, groups, g, pairs, sums);
  for (; g + kLanes32 < groups; g += 2 * kLanes32) some_groups<2>(dy, x, groups, g, pairs, sums);
  for (; g < groups; g += kLanes32) some_groups<1>(dy, x, groups, g, pairs, sums);
}

void CombineRows(std::span<const std::uint32_t* const> rows, const std::uint32_t* factors, std::int64_t count,
                 std::uint32_t* out) {
  const auto value = [](VU64 total, VU64 high) HWY_ATTR {
    const auto low = hn::Sub(total, hn::ShiftLeft<32>(high));
    return reduced(hn::Add(low, hn::Add(high, hn::ShiftLeft<2>(high))));
  };
  for (std::int64_t c = 0; c < count; c += kLanes32) {
    VU64 total[2] = {hn::Zero(DU64()), hn::Zero(DU64())}, high[2] = {total[0], total[0]};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = hn::LoadU(DU32(), rows[i] + c), factor = hn::Set(DU32(), factors[i]);
      add_even(row, factor, total[0], high[0]);
      add_even(odds(row), factor, total[1], high[1]);
    }
    hn::StoreU(joined(value(total[0], high[0]), value(total[1], high[1])), DU32(), out + c);
  }
}

#endif

}  // namespace wgradcheck::check::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wgradcheck::check {
namespace {
HWY_EXPORT(MultiplyRow);
HWY_EXPORT(MultiplyRows);
HWY_EXPORT(MultiplyGroups);
HWY_EXPORT(CombineRows);
}  // namespace

Wide multiply_row(const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) {
  return HWY_DYNAMIC_DISPATCH(MultiplyRow)(a, b, count);
}

Wide multiply_rows(const std::uint32_t* dy, const std::uint32_t* x, const Run& pairs) {
  return HWY_DYNAMIC_DISPATCH(MultiplyRows)(dy, x, pairs);
}

void multiply_groups(const std::uint32_t* dy, const std::uint32_t* x, std::int64_t groups, const Run& pairs,
                     Wide* sums) {
  HWY_DYNAMIC_DISPATCH(MultiplyGroups)(dy, x, groups, pairs, sums);
}

void combine_rows(std::span<const std::uint32_t* const> rows, const std::uint32_t* factors,
                  std::int64_t count, std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(CombineRows)(rows, factors, count, out);
}

}  // namespace wgradcheck::check
#endif
