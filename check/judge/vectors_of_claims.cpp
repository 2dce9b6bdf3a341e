#include <algorithm>

#include "check/judge/vector_targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "check/judge/vectors_of_claims.cpp"
#include <hwy/foreach_target.h>

#include "check/judge/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::check::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

template <class T>
bool add_rows(const Rows<T>& rows, const RowWeights& weights, const ColumnSums& sums) {
  constexpr T kMost = 1 << 24;
  bool integers = true;
  for (std::int64_t i = 0; i < rows.rows; ++i)
    for (std::int64_t c = 0; c < rows.columns; ++c) {
      const T claim = rows.claims[i * rows.step + c];
      if constexpr (std::is_floating_point_v<T>)
        if (!(claim > -kMost && claim < kMost) || static_cast<T>(static_cast<std::int32_t>(claim)) != claim) {
          integers = false;
          continue;
        }
      const std::int64_t sum =
          static_cast<std::int64_t>(claim) - (rows.old == nullptr ? 0 : rows.old[i * rows.step + c]);
      for (std::size_t r = 0; r < kRounds; ++r) sums[r][c] += sum * weights[r][static_cast<std::size_t>(i)];
    }
  return integers;
}

void ReduceColumns(std::int64_t columns, const ColumnSums& sums) {
  for (std::int64_t* const round : sums) std::transform(round, round + columns, round, residue);
}

void ColumnResidues(const std::int64_t* sums, std::int64_t columns, std::uint32_t* out) {
  std::transform(sums, sums + columns, out, residue);
}

#else

/// Looks for floats that are no integers below 2^24 in magnitude.
struct Look {
  VU32 changed, largest;

  // Written out, since a constructor of the compiler's own has not the target's instructions.
  HWY_INLINE Look() { changed = largest = hn::Zero(DU32()); }

  HWY_INLINE V32 integers(hn::Vec<hn::Repartition<float, D32> > floats) {
    const hn::Repartition<float, D32> d;
    const auto integers = hn::ConvertTo(D32(), floats);
    const auto bits = hn::BitCast(DU32(), floats);
    changed = hn::Or(changed, hn::Xor(bits, hn::BitCast(DU32(), hn::ConvertTo(d, integers))));
    largest = hn::Max(largest, hn::Add(bits, bits));
    return integers;
  }
  HWY_INLINE V32 integers(V32 same) { return same; }

  /// A zero may have a sign.
  HWY_INLINE bool nothing() const {
    const auto good = hn::And(hn::Eq(hn::Add(changed, changed), hn::Zero(DU32())),
                              hn::Lt(largest, hn::Set(DU32(), 2 * 0x4b800000U)));
    return hn::AllTrue(DU32(), good);
  }
};

/// Adds one vector of columns, whose sums lie even columns first.
template <bool HaveOld, class T>
HWY_INLINE void add_columns(const T* const* claims, const std::int16_t* const* old,
                            const V32 (*weights)[kRows], std::int64_t c, const ColumnSums& sums, Look& look) {
  V64 even[kRounds], odd[kRounds];
  for (std::size_t r = 0; r < kRounds; ++r) {
    even[r] = hn::LoadU(D64(), sums[r] + c);
    odd[r] = hn::LoadU(D64(), sums[r] + c + kLanes64);
  }
  for (std::int64_t i = 0; i < kRows; ++i) {
    auto row = look.integers(hn::LoadU(hn::Repartition<T, D32>(), claims[i] + c));
    if constexpr (HaveOld)
      row = hn::Sub(row, hn::PromoteTo(D32(), hn::LoadU(hn::Rebind<std::int16_t, D32>(), old[i] + c)));
    for (std::size_t r = 0; r < kRounds; ++r) {
      even[r] = hn::Add(even[r], hn::MulEven(row, weights[r][i]));
      odd[r] = hn::Add(odd[r], hn::MulEven(odds(row), weights[r][i]));
    }
  }
  for (std::size_t r = 0; r < kRounds; ++r) {
    hn::StoreU(even[r], D64(), sums[r] + c);
    hn::StoreU(odd[r], D64(), sums[r] + c + kLanes64);
  }
}

template <bool HaveOld, class T>
bool add_some_rows(const Rows<T>& rows, const RowWeights& weights, const ColumnSums& sums) {
  const T* claims[kRows];
  const std::int16_t* old[kRows] = {};
  V32 w[kRounds][kRows];
  for (std::int64_t i = 0; i < kRows; ++i) {
    // What is not there is the last row once more, without a weight.
    const std::int64_t at = std::min(i, rows.rows - 1) * rows.step;
    claims[i] = rows.claims + at;
    if (HaveOld) old[i] = rows.old + at;
    for (std::size_t r = 0; r < kRounds; ++r)
      w[r][i] = hn::Set(D32(), i < rows.rows ? weights[r][static_cast<std::size_t>(i)] : 0);
  }
  Look look;
  std::int64_t c = 0;
  for (; c + kLanes32 <= rows.columns; c += kLanes32) add_columns<HaveOld>(claims, old, w, c, sums, look);
  if (c < rows.columns) {
    // Nothing beyond the last column may be read.
    T last[kRows][kLanes32] = {};
    std::int16_t last_old[kRows][kLanes32] = {};
    for (std::int64_t i = 0; i < kRows; ++i) {
      std::copy(claims[i] + c, claims[i] + rows.columns, last[i]);
      claims[i] = last[i];
      if (!HaveOld) continue;
      std::copy(old[i] + c, old[i] + rows.columns, last_old[i]);
      old[i] = last_old[i];
    }
    add_columns<HaveOld>(claims, old, w, 0, {sums[0] + c, sums[1] + c}, look);
  }
  return look.nothing();
}

template <class T>
bool add_rows(const Rows<T>& rows, const RowWeights& weights, const ColumnSums& sums) {
  return rows.old == nullptr ? add_some_rows<false>(rows, weights, sums)
                             : add_some_rows<true>(rows, weights, sums);
}

void ReduceColumns(std::int64_t columns, const ColumnSums& sums) {
  for (std::int64_t* const round : sums)
    for (std::int64_t c = 0; c < columns; c += kLanes32)
      for (const std::int64_t at : {c, c + kLanes64})
        hn::StoreU(hn::BitCast(D64(), residues(hn::LoadU(D64(), round + at))), D64(), round + at);
}

void ColumnResidues(const std::int64_t* sums, std::int64_t columns, std::uint32_t* out) {
  for (std::int64_t c = 0; c < columns; c += kLanes32)
    hn::StoreU(joined(residues(hn::LoadU(D64(), sums + c)), residues(hn::LoadU(D64(), sums + c + kLanes64))),
               DU32(), out + c);
}

#endif

bool AddFloats(const Rows<float>& rows, const RowWeights& weights, const ColumnSums& sums) {
  return add_rows(rows, weights, sums);
}

void AddIntegers(const Rows<std::int32_t>& rows, const RowWeights& weights, const ColumnSums& sums) {
  add_rows(rows, weights, sums);
}

}  // namespace wgradcheck::check::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wgradcheck::check {
namespace {
HWY_EXPORT(AddFloats);
HWY_EXPORT(AddIntegers);
HWY_EXPORT(ReduceColumns);
HWY_EXPORT(ColumnResidues);
}  // namespace

bool add_weighed_rows(const Rows<float>& rows, const RowWeights& weights, const ColumnSums& sums) {
  return HWY_DYNAMIC_DISPATCH(AddFloats)(rows, weights, sums);
}

void add_weighed_rows(const Rows<std::int32_t>& rows, const RowWeights& weights, const ColumnSums& sums) {
  HWY_DYNAMIC_DISPATCH(AddIntegers)(rows, weights, sums);
}

void reduce_columns(std::int64_t columns, const ColumnSums& sums) {
  HWY_DYNAMIC_DISPATCH(ReduceColumns)(columns, sums);
}

void column_residues(const std::int64_t* sums, std::int64_t columns, std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(ColumnResidues)(sums, columns, out);
}

}  // namespace wgradcheck::check
#endif
