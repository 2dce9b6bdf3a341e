#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

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

/// Where sums go: row i, column j at[i * step + j]. Fresh ones are stored, others added to. What streams is
/// stored past the caches, where it fills their lines: that saves reading what was there.
struct Sums {
  float* at;
  std::int64_t step;
  bool fresh, streams = false;
};

/// Pixels that will be read after those of a box, and lie like them: pixel (p, i, j) at at + p * plane + i *
/// line + j * pixel, in bytes. Of each `asked` of `lines` cache lines were asked for.
struct Soon {
  const std::byte* at = nullptr;
  std::int64_t plane = 0, line = 0, pixel = 0, lines = 0, asked = 0;
};

/// sums[i][j] (+)= sum over the box of a(p, y, x)[i] * b(p, y, x)[j] for i in [0, rows), j in [0, columns).
/// Each is one chain of fused additions in the order of p, y, x, so that cutting rows or columns in pieces
/// changes no bit. Of memory that is not packed up to kSlack floats behind a pixel's channels are read.
/// Meanwhile asks memory for what is soon read, a cache line of each pixel with each register tile.
void add_outer(std::int64_t rows, std::int64_t columns, const Box&, const Pixels& a, const Pixels& b,
               const Sums&, std::span<Soon> soon = {});

inline constexpr std::int64_t kLineBytes = 64;  ///< of a cache line

/// Floats that may be read behind what a box names.
inline constexpr std::int64_t kSlack = 64;

}  // namespace wgradcheck::impl::simd
