#pragma once
#include "proofs/cube/products.hpp"

namespace wgradcheck::proofs::cube {

/// impl::cube::product.
struct Cube : AnySchedule {
  template <class Env, class Int>
  void run(Env& env, const impl::cube::Plane<Int>& plane, const impl::cube::Tile<Int>& tile) const {
    impl::cube::product(env, plane, tile);
  }

  /// Slice, sixteen of columns and output row.
  template <class Reading>
  std::vector<IntOf<Reading>> owner(const Work<Reading>& w, const Term<IntOf<Reading>>& t) const {
    return {spec::floor_div(position_of(w, t), w.slice_tile), sixteen_of(w, t), t.oh};
  }
  template <class Reading>
  void lemmas_owner(Scene<Reading>& scene, const Term<IntOf<Reading>>& t) const {
    const auto& w = scene.work;
    for (const IntOf<Reading> next : {0, 1})
      w.p.use(quotient(scene.way.choices()[0] + next, position_of(w, t), w.slice_tile));
  }
  template <class Reading>
  void lemmas_before(const Work<Reading>& w, const Term<IntOf<Reading>>& t, const Prove<Reading>& way) const {
    auto& p = w.p;
    const IntOf<Reading> zero = 0, line = t.oh - w.rows.first;
    const auto &kh = w.height.kernel, &kw = w.width.kernel, &wo = w.width.output;
    if (way.choices().size() == 1) {
      p.use(digits(line, w.rows.last - w.rows.first, t.ow, wo));
      p.use(quotient(zero, position_of(w, t), w.slice_tile));
    }
    if (way.choices().size() < 3) return;
    const auto row = t.in * kh + t.kh, sixteen = sixteen_of(w, t);
    claim_quotient(p, row, sixteen, kw);
    claim_quotient(p, t.in, spec::floor_div(sixteen, kw), kh);
    const auto column = impl::cube::column_at(w.plane(), sixteen);
    p.claim("the term's column", column.block == t.in && column.kh == t.kh && column.kw == t.kw);
    p.use(times(column.kh, t.kh, w.height.dilation));
    p.use(times(column.kw, t.kw, w.width.dilation));
    claim_touches(p, w.height, t.oh, column.kh, "height");
    claim_touches(p, w.width, t.ow, column.kw, "width");
    p.use(quotient(line + 1, way.ranges()[0].first, wo));
    p.use(quotient(zero - line, zero - way.ranges()[0].last, wo));
  }
};

}  // namespace wgradcheck::proofs::cube
