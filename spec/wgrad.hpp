#pragma once
#include <cstdint>
#include <span>

#include "spec/index.hpp"

namespace wgradcheck::spec {

/// Calls visit(dy offset, x offset) for each product of one dW element, in the order n, od, oh, ow. This is
/// the definition: dw[g,co,kd,kh,kw,ci] = sum over n,od,oh,ow of dy[n,od,oh,ow,g*Co'+co] *
/// x[n,z,y,x,g*Ci'+ci], the term being 0 outside the input.
template <class Visit>
void each_product(const Shape& s, const Element& e, Visit visit) {
  for (std::int64_t n = 0; n < s.batch; ++n)
    for (std::int64_t od = 0; od < s.depth.output; ++od)
      for (std::int64_t oh = 0; oh < s.height.output; ++oh)
        for (std::int64_t ow = 0; ow < s.width.output; ++ow) {
          if (!touches(s.depth, od, e.kd) || !touches(s.height, oh, e.kh) || !touches(s.width, ow, e.kw))
            continue;
          visit(dy_offset(s, n, od, oh, ow, e.g, e.co),
                x_offset(s, n, input_at(s.depth, od, e.kd), input_at(s.height, oh, e.kh),
                         input_at(s.width, ow, e.kw), e.g, e.ci));
        }
}

/// The sum of one element, the sum of its products' magnitudes, and how many products it has.
template <class Real>
struct Sum {
  Real value{}, magnitude{};
  std::int64_t terms = 0;
};

/// The sum of one dW element, computed in Real. dy holds dy_elems(s) elements and x holds x_elems(s).
template <class Real, class T>
Sum<Real> element(const Shape& s, const Element& e, std::span<const T> dy, std::span<const T> x) {
  Sum<Real> sum;
  each_product(s, e, [&](std::int64_t i, std::int64_t j) {
    const Real product = static_cast<Real>(dy[static_cast<std::size_t>(i)]) *
                         static_cast<Real>(x[static_cast<std::size_t>(j)]);
    sum.value += product;
    sum.magnitude += product < Real(0) ? -product : product;
    ++sum.terms;
  });
  return sum;
}

}  // namespace wgradcheck::spec
