#pragma once
#include <cstdint>
#include <span>

#include "check/judge/data.hpp"
#include "check/judge/weigh.hpp"

namespace wgradcheck::check {

/// What the identity multiplies with: a weight for each output channel of a group, each input channel of a
/// group, each row of taps, the same in every group and at every other tap.
struct Secrets {
  Weights u, v, t;
};

/// Secrets that nobody could foresee.
Secrets fresh_secrets(const spec::Shape&);

/// Claimed sums of dW in one of two forms: integers below 2^25 in magnitude, or what a float32 dW holds,
/// less what it held before where that is not empty.
struct Claims {
  std::span<const std::int32_t> sums;
  std::span<const float> dw;
  std::span<const std::int16_t> old;
};

/// Whether the claims are the exact sum of every dW element, by a randomised identity: for each group,
/// kd and kw, the sum over kh,co,ci of t[kh] * u[co] * claim[co,kh,ci] * v[ci] must equal the sum over
/// positions and kh of t[kh] * (sum of u*dy) * (sum of v*x) modulo p = 2^32 - 5, in two rounds; where it
/// costs less, each kh is compared by itself, without t. True sums always pass. Others pass with a chance
/// below 2^-60, whatever seeds the data: weights come from the operating system, uniform over a set S of
/// 2^32 - 2^16 integers that differ modulo p, each with the chance q = 1 / |S| < 2^-32 * (1 + 2^-15). The
/// errors E of a wrong group, kd and kw are below p in magnitude, so E is not 0 modulo p. The matrix t E
/// vanishes with a chance of q at most, since one of its elements is a form in t with a coefficient that is
/// not 0; where it does not, t E v vanishes with q at most, and where that does not, u (t E v) with q: 3q a
/// round, and (3q)^2 = 9 * 2^-64 * (1 + 2^-15)^2 < 2^-60.8 in two. That others share the weights takes
/// nothing from the chance that this one is seen. A dW element that is no integer below 2^24 in magnitude
/// is wrong without any chance. Cost: about one pass over dy, x and dW. Source: R. Freivalds, 1977, with
/// J. Schwartz's bound for a multilinear form.
bool are_exact_sums(const spec::Shape&, const Integers& dy, const Integers& x, const Claims&);

/// The same with secrets that are given, for which no chance is stated.
bool are_exact_sums(const spec::Shape&, const Integers& dy, const Integers& x, const Claims&, const Secrets&);

/// Whether the identity of a shape sums over kh, and so takes t.
bool combines_taps(const spec::Shape&);

}  // namespace wgradcheck::check
