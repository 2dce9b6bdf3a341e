#pragma once
#include <cstdint>

#include "impl/bfloat.hpp"
#include "impl/half.hpp"

/// Micro-kernels of the host library: sums of outer products over a box of pixels, in floats. The best
/// instruction set of the machine is chosen at run time.
namespace wgradcheck::impl::simd {

/// How pixels of several channels lie in memory. Pixel (p, i, j) of channel c is, where `area` is 0, at
/// at[first + p * plane + i * line + j * pixel + c]; else pack_rows or pack_columns wrote the memory, `area`
/// pixels in all, and `first` and the steps count pixels.
struct Pixels {
  const float* at;
  std::int64_t first, plane, line, pixel, area;
};

/// Extents of a box of pixels.
struct Box {
  std::int64_t planes, lines, pixels;
};

/// Where sums go: row i, column j at[i * step + j]. Fresh ones are stored, others added to.
struct Sums {
  float* at;
  std::int64_t step;
  bool fresh;
};

/// sums[i][j] (+)= sum over the box of a(p, y, x)[i] * b(p, y, x)[j] for i in [0, rows), j in [0, columns).
/// Each is one chain of fused additions in the order of p, y, x, so that cutting rows or columns in pieces
/// changes no bit. Of memory that is not packed up to kSlack floats behind a pixel's channels are read.
void add_outer(std::int64_t rows, std::int64_t columns, const Box&, const Pixels& a, const Pixels& b,
               const Sums&);

/// Floats that may be read behind what a box names.
inline constexpr std::int64_t kSlack = 64;

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

/// to[i * to_step + c] = from[i * step + c] as float for i in [0, count), c in [0, channels).
template <class T>
void widen(std::int64_t count, std::int64_t channels, const T* from, std::int64_t step, float* to,
           std::int64_t to_step);

/// Whether from[i * step + c] is finite for all i in [0, count), c in [0, channels).
template <class T>
bool finite(std::int64_t count, std::int64_t channels, const T* from, std::int64_t step);

/// to[i * (last - first) + l - first] = from[i * step + l / ins * outs] as float for i in [0, count), l in
/// [first, last): to each input channel an output channel of its group. Reads step elements of a pixel at
/// most.
template <class T>
void spread(std::int64_t count, std::int64_t first, std::int64_t last, std::int64_t ins, std::int64_t outs,
            std::int64_t map, const T* from, std::int64_t step, float* to);

}  // namespace wgradcheck::impl::simd
