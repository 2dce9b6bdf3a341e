#pragma once
#include "proofs/host/staging.hpp"

/// What is claimed of two lines of a box: how far they lie from each other in a tensor.
namespace wgradcheck::proofs::host {

/// A line of a plane of a tensor, `plane` being one that the box counts.
template <class Int>
struct TensorLine {
  Int plane, line, n, d;
};

/// The extents of a tensor, and how many lines and pixels of each plane a box stages.
template <class Int>
struct StagedOf {
  Int depth, height, width, channels, lines, pixels;
};

/// Where depth has one output, a plane is an image.
template <class Reading>
void claim_image(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const TensorLine<IntOf<Reading>>& at,
                 const IntOf<Reading>& depth) {
  const IntOf<Reading> one = 1;
  p.use(times(depth, one, at.plane));
  p.use(times(depth, one, at.plane + 1));
  p.use(quotient(at.plane, at.plane, depth));
  p.use(quotient(at.plane + 1, at.plane, depth));
  p.claim("a plane is an image", implies(s.depth.output == 1, at.n == at.plane));
}

/// Requires that the box has one plane, or that planes are images that are staged whole.
template <class Reading, class Operation>
void claim_as_far(Reading& p, const StagedOf<IntOf<Reading>>& t, const TensorLine<IntOf<Reading>>& one,
                  const TensorLine<IntOf<Reading>>& two, const Operation& op, const Operation& op2) {
  const IntOf<Reading> zero = 0, unit = 1;
  const auto planes = two.plane - one.plane, images = two.n - one.n, down = two.line - one.line;
  p.use(times(planes, zero, t.lines));
  p.use(times(images, zero, t.height));
  p.use(times(t.lines, t.height, planes));
  p.use(times(images, planes, t.height));
  const auto staged = planes * t.lines + down, lines = images * t.height + down;
  p.claim("as many lines in both", staged == lines);
  p.use(times(images, zero, t.depth));
  p.use(times(t.depth, unit, images));
  const auto deep = images * t.depth + (two.d - one.d);
  p.claim("as many planes as images", deep == images);
  const auto line = t.width * t.channels;
  p.use(times(deep, images, t.height * line));
  p.use(times(staged, lines, line));
  p.claim("whole lines", t.pixels == t.width);
  p.use(times(t.pixels, t.width, staged * t.channels));
  p.claim("as far in the tensor as in packed memory",
          op2.from - op.from == (op2.first - op.first) * t.channels);
}

}  // namespace wgradcheck::proofs::host
