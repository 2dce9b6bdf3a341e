#pragma once
#include "impl/partition.hpp"
#include "impl/tiling.hpp"
#include "proofs/digits.hpp"

/// What is claimed of the list of all work, of which each core takes a stretch.
namespace wgradcheck::proofs::cube {

/// The steps that show the digits of a place in a list to be below their counts.
template <class Reading>
void use_digits_of(Reading& p, const impl::Work<IntOf<Reading>>& c, const IntOf<Reading>& place) {
  const IntOf<Reading> zero = 0;
  const auto in_m = spec::floor_div(place, c.cols), in_kd = spec::floor_div(in_m, c.m),
             in_depth = spec::floor_div(in_kd, c.kd), in_n = spec::floor_div(in_depth, c.depth);
  p.use(quotient(zero, place, c.cols));
  p.use(quotient(zero, in_m, c.m));
  p.use(quotient(zero, in_kd, c.kd));
  p.use(quotient(zero, in_depth, c.depth));
  p.use(quotient(zero, in_n, c.n));
  p.use(quotient(c.rows * c.n * c.depth * c.kd * c.m, place, c.cols));
  p.use(quotient(c.rows * c.n * c.depth * c.kd, in_m, c.m));
  p.use(quotient(c.rows * c.n * c.depth, in_kd, c.kd));
  p.use(quotient(c.rows * c.n, in_depth, c.depth));
  p.use(quotient(c.rows, in_n, c.n));
}
template <class Reading>
void claim_digits(Reading& p, const impl::Work<IntOf<Reading>>& c, const IntOf<Reading>& place) {
  use_digits_of(p, c, place);
  const auto w = impl::work_at(c, place);
  p.claim("a work", 0 <= w.rows && w.rows < c.rows && 0 <= w.n && w.n < c.n && 0 <= w.depth &&
                        w.depth < c.depth && 0 <= w.kd && w.kd < c.kd && 0 <= w.m && w.m < c.m &&
                        0 <= w.cols && w.cols < c.cols);
}

/// The steps that show the digits of the place of a work to be those of the work.
template <class Reading>
void claim_digits_back(Reading& p, const impl::Work<IntOf<Reading>>& c, const impl::Work<IntOf<Reading>>& w) {
  const auto in_n = w.rows * c.n + w.n, in_depth = in_n * c.depth + w.depth, in_kd = in_depth * c.kd + w.kd,
             in_m = in_kd * c.m + w.m, place = impl::place_of(c, w);
  const auto m = spec::floor_div(place, c.cols), kd = spec::floor_div(m, c.m),
             depth = spec::floor_div(kd, c.kd), n = spec::floor_div(depth, c.depth);
  claim_quotient(p, in_m, place, c.cols);
  claim_quotient(p, in_kd, m, c.m);
  claim_quotient(p, in_depth, kd, c.kd);
  claim_quotient(p, in_n, depth, c.depth);
  claim_quotient(p, w.rows, n, c.n);
}
template <class Reading>
void claim_back(Reading& p, const impl::Work<IntOf<Reading>>& c, const impl::Work<IntOf<Reading>>& w) {
  claim_digits_back(p, c, w);
  const auto at = impl::work_at(c, impl::place_of(c, w));
  p.claim("the same work", at.rows == w.rows && at.n == w.n && at.depth == w.depth && at.kd == w.kd &&
                               at.m == w.m && at.cols == w.cols);
}

/// Of some items in a list, the one at a place is in the part of its owner and of no other core.
template <class Reading>
void claim_owner(Reading& p, const IntOf<Reading>& all, const IntOf<Reading>& cores,
                 const IntOf<Reading>& place, const IntOf<Reading>& core) {
  const auto share = impl::share(all, cores);
  const IntOf<Reading> zero = 0;
  p.use(product(0 - share, cores));
  p.claim("a share holds something", 1 <= share);
  p.use(quotient(zero, place, share));
  p.use(quotient(cores, place, share));
  p.use(quotient(core, place, share));
  p.use(quotient(core + 1, place, share));
  p.claim("its owner's alone",
          iff(impl::contains(impl::part(all, cores, core), place), core == impl::owner(all, cores, place)));
}

}  // namespace wgradcheck::proofs::cube
