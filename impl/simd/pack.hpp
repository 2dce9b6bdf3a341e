#pragma once
#include <cstdint>

#include "impl/bfloat.hpp"
#include "impl/half.hpp"

/// How the host library stages pixels as floats; T is float, Half or Bfloat. The best instruction set of the
/// machine is chosen at run time.
namespace wgradcheck::impl::simd {

/// Floats that `channels` channels of one pixel take when packed as rows, or as columns.
std::int64_t packed_rows(std::int64_t channels);
std::int64_t packed_columns(std::int64_t channels);

/// Pixels to be packed: channel c of group g of the i-th is from[i * step + g * apart + c], for c in
/// [0, channels), g in [0, groups), i in [0, count).
template <class T>
struct Pack {
  std::int64_t groups, apart, count, channels;
  const T* from;
  std::int64_t step;
};

/// Packs them as pixels [first, first + count) of `area` pixels into `to`, a group behind the other.
template <class T>
void pack_rows(const Pack<T>&, std::int64_t area, std::int64_t first, float* to);
template <class T>
void pack_columns(const Pack<T>&, std::int64_t area, std::int64_t first, float* to);

/// to[i * (last - first) + l - first] = from[i * step + l / ins * outs + map] as float for i in [0, count), l
/// in [first, last): to each input channel output channel `map` of its group. Reads step elements of a pixel
/// at most.
template <class T>
void spread(std::int64_t count, std::int64_t first, std::int64_t last, std::int64_t ins, std::int64_t outs,
            std::int64_t map, const T* from, std::int64_t step, float* to);

/// to[i] = from[i], or to[i] + from[i] where `add`, rounded as to_half rounds, for i in [0, count).
void round_run(std::int64_t count, const float* from, bool add, Half* to);

}  // namespace wgradcheck::impl::simd
