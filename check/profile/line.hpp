#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "check/profile/probe.hpp"
#include "spec/rules.hpp"

namespace wgradcheck::check {

/// A product dy * x.
struct Factors {
  double dy = 0, x = 0;
  double product() const { return dy * x; }
  Factors operator-() const { return {-dy, x}; }
};

/// An element of dW and where the factors of its products lie, in the order n, oh, ow. All of its positions
/// lie inside the input, and no two of its products share a pixel.
struct Line {
  std::string name;  ///< along what the products lie
  Case test;
  std::int64_t element = 0;
  std::vector<std::int64_t> dy{}, x{};  ///< pixels

  std::int64_t terms() const { return std::ssize(dy); }
};

/// Where the products of a line lie.
enum class Along { row, column, images, all };

/// What a line is to be like.
struct LineKind {
  spec::Path path = spec::Path::general;
  Along along = Along::row;
  std::int64_t terms = 1;  ///< of Along::all: in two images of four rows, a multiple of 8
  bool wide = false;       ///< 16 channels in place of 1 or 2
  bool square = false;     ///< 3x3 with padding, the element being that of the middle tap
  std::uint32_t core_mask = 1;
  std::int64_t chunk = 0;  ///< positions that the buffer holds; 0: the usual buffer
};

/// The line of that kind. Its case is admitted by the probe's domain.
Line line_of(const Probe&, const LineKind&);

/// A call in which the line's products are these, in all channels alike, dW holding `old` everywhere.
Question with_products(const Line&, const std::vector<Factors>&, double old = 0);

/// The paths that a kernel of the convention may treat apart, and what they are called.
inline constexpr spec::Path kPaths[]{spec::Path::general, spec::Path::pointwise, spec::Path::depthwise};

}  // namespace wgradcheck::check
