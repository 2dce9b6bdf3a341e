#pragma once
#include "spec/arith.hpp"

namespace wgradcheck::impl {

/// How the pixels of a box lie: pixel (p, i, j) at at + p * plane + i * line + j * pixel, in elements.
template <class Int>
struct View {
  Int at, plane, line, pixel;
};

/// The one in place, or the packed one of `lanes` lanes a pixel.
template <class Int, class Condition>
View<Int> view(const Condition& in_place, const View<Int>& there, const Int& lines, const Int& pixels,
               const Int& lanes) {
  const auto pick = [=](const Int& a, const Int& b) { return spec::Arith<Int>::pick(in_place, a, b); };
  return {pick(there.at, Int(0)), pick(there.plane, lines * pixels * lanes), pick(there.line, pixels * lanes),
          pick(there.pixel, lanes)};
}

}  // namespace wgradcheck::impl
