#pragma once
#include "proofs/schedule/terms.hpp"

namespace wgradcheck::proofs {

/// A place in the sums of a block lies inside them and is that of a term's dW. The sums of a depthwise block
/// have the channels as rows.
template <class Reading>
void claim_dw(const Scene<Reading>& scene, const IntOf<Reading>& rows_of_group,
              const impl::Term<IntOf<Reading>>& t, const IntOf<Reading>& row, const IntOf<Reading>& col) {
  const auto& [p, c, b, way] = scene;
  const IntOf<Reading> zero = 0;
  p.claim("a row of the sums", 0 <= row && row < length(b.rows));
  p.claim("a column of the sums", 0 <= col && col < length(b.cols));
  const auto offset =
      (b.group * rows_of_group + b.rows.first + row) * spec::row_elems(c) + b.cols.first + col;
  p.claim("the term's dW", offset == spec::dw_offset(spec::shape_of(c), t.g, t.co, zero, t.kh, t.kw, t.ci));
}

/// The tap of a term, by its number in a row of dW, has the term's coordinates and is met by its output.
template <class Reading>
void claim_tap_of(Reading& p, const spec::Call<IntOf<Reading>>& c, const impl::Term<IntOf<Reading>>& t) {
  const auto s = spec::shape_of(c);
  const auto tap = t.kh * c.kernel_w + t.kw, kh = spec::floor_div(tap, c.kernel_w),
             kw = tap - kh * c.kernel_w;
  p.use(quotient(t.kh, tap, c.kernel_w));
  p.use(quotient(t.kh + 1, tap, c.kernel_w));
  p.claim("the row of the tap", kh == t.kh);
  p.use(times(kh, t.kh, c.kernel_w));
  p.use(times(kh, t.kh, c.dilation_h));
  p.use(times(kw, t.kw, c.dilation_w));
  claim_touches(p, s.height, t.oh, kh, "height");
  claim_touches(p, s.width, t.ow, kw, "width");
}

/// Where a product finds its factors and leaves its sum: offsets in x and dy, a row and a column of the
/// block's sums.
template <class Int>
struct Places {
  Int x, dy, row, col;
};

/// A product is that of a term of the sum.
template <class Reading, class Schedule>
void claim_product(const Scene<Reading>& scene, const Schedule& schedule,
                   const impl::Term<IntOf<Reading>>& term, const Places<IntOf<Reading>>& at) {
  const auto s = scene.shape();
  claim_term(scene.p, s, term);
  claim_x(scene.p, s, term, at.x);
  claim_dy_of(scene.p, s, term, at.dy);
  claim_dw(scene, schedule.rows(scene.c), term, at.row, at.col);
}

}  // namespace wgradcheck::proofs
