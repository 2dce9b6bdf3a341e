#pragma once
#include "impl/schedule/folded.hpp"
#include "proofs/host/rows.hpp"

namespace wgradcheck::proofs::host {

/// impl::folded, for few input channels.
struct Folded : BoxSchedule<Folded> {
  static constexpr std::size_t kBox = 1, kPlanes = 2;
  static constexpr bool kStages = true, kRows = true;

  template <class Env, class Int>
  void run(Env& env, const spec::BasicShape<Int>& s, const impl::Part<Int>& part,
           const impl::Cut<Int>& cut) const {
    impl::folded(env, s, part, cut);
  }
  template <class Reading>
  auto takes(const Work<Reading>& work) const {
    return work.s.groups == 1 && work.s.width.dilation == 1 && work.part.ins.first == 0 &&
           work.part.ins.last == in_per_group(work.s);
  }
  /// kw is that of the first column: 0 where a product has all taps of a row of the kernel.
  template <class Reading>
  static std::array<IntOf<Reading>, 3> tap(const Prove<Reading>& way) {
    const auto& choices = way.choices();
    return {choices[0], choices[5], has_padding(way) ? IntOf<Reading>(0) : choices[6]};
  }
  template <class Reading>
  static Window<IntOf<Reading>> lines(const Scene<Reading>& scene) {
    return {scene.s.height, scene.way.ranges()[2], scene.way.ranges()[0]};
  }
  /// The first output of a line whose products are added: with all taps those of padding too.
  template <class Reading>
  static IntOf<Reading> first_pixel(const Scene<Reading>& scene) {
    const auto& pixels = scene.way.ranges()[3];
    if (has_padding(scene.way)) return pixels.first;
    return impl::meet(impl::touched(scene.s.width, scene.way.choices()[6]), pixels).first;
  }

  template <class Reading>
  Term<IntOf<Reading>> term(Scene<Reading>& scene, const Lane<IntOf<Reading>>& l) const {
    const auto t = term_of_box(scene, l, scene.part.groups.first);
    const auto taps = column_of(scene, l);
    return {t.n, t.d,  t.oh,        first_pixel(scene) + l.pixel, t.kd, t.kh, t.kw + taps.tap,
            t.g, t.co, taps.channel};
  }
  template <class Reading>
  Lane<IntOf<Reading>> lane(Scene<Reading>& scene, const Term<IntOf<Reading>>& t) const {
    const auto l = BoxSchedule::lane(scene, t);
    const auto ci = impl::length(scene.part.ins), tap = t.kw - this->tap(scene.way)[2],
               column = tap * ci + t.ci;
    claim_quotient(scene.p, tap, column, ci);
    scene.p.use(digits(tap, taps_of_product(scene), t.ci, ci));
    return {l.plane, l.line, t.ow - first_pixel(scene), l.row, column, 0, 0};
  }
  /// The pixels of a staged row that are inputs.
  template <class Reading>
  static impl::Range<IntOf<Reading>> inside(const Scene<Reading>& scene) {
    const auto rows = rows_of(scene, Folded{});
    const IntOf<Reading> zero = 0;
    const auto clamp = [&](const auto& i) { return spec::max(zero, spec::min(i, rows.width)); };
    return {clamp(0 - rows.left), clamp(scene.s.width.input - rows.left)};
  }
  /// Whether its products have padded taps: those that have all taps of a row of the kernel.
  template <class Reading>
  static bool has_padding(const Prove<Reading>& way) {
    return way.choices().size() <= 6;
  }
  /// How many taps of a row of the kernel a product has.
  template <class Reading>
  static IntOf<Reading> taps_of_product(const Scene<Reading>& scene) {
    return has_padding(scene.way) ? scene.s.width.kernel : IntOf<Reading>(1);
  }
  /// The tap, counted from the product's first, and the channel of a column.
  template <class Int>
  struct Column {
    Int tap, channel;
  };
  template <class Reading>
  static Column<IntOf<Reading>> column_of(Scene<Reading>& scene, const Lane<IntOf<Reading>>& l) {
    const auto ci = impl::length(scene.part.ins), tap = spec::floor_div(l.column, ci);
    scene.p.use(quotient(IntOf<Reading>(0), l.column, ci));
    scene.p.use(quotient(taps_of_product(scene), l.column, ci));
    scene.p.claim("a tap of the product", 0 <= tap && tap < taps_of_product(scene));
    return {tap, l.column - tap * ci};
  }
  template <class Reading>
  Sum<IntOf<Reading>> sum(Scene<Reading>& scene, const Product<IntOf<Reading>>& op,
                          const Lane<IntOf<Reading>>& l) const {
    const auto taps = column_of(scene, l);
    return {op.group, op.tap + taps.tap, l.row, taps.channel};
  }

  /// Tap of depth, taps of height, planes, lines, pixels, and one tap of height, and of width where products
  /// have one.
  template <class Reading>
  std::vector<IntOf<Reading>> owner(const Work<Reading>& work, const Term<IntOf<Reading>>& t,
                                    const Place& place) const {
    const auto [planes, lines, pixels] = owner_of_box(work, t);
    std::vector<IntOf<Reading>> all{t.kd, spec::floor_div(t.kh, work.cut.tap_lines), planes, lines, pixels,
                                    t.kh};
    if (place.size() > kPlanes + 6) all.push_back(t.kw);
    return all;
  }
  template <class Reading>
  void lemmas_owner(Scene<Reading>& scene, const Term<IntOf<Reading>>& t) const {
    for (const IntOf<Reading> next : {0, 1})
      scene.p.use(quotient(scene.way.choices()[1] + next, t.kh, scene.cut.tap_lines));
    BoxSchedule::lemmas_owner(scene, t);
  }
  template <class Reading>
  void lemmas_before(const Work<Reading>& work, const Term<IntOf<Reading>>& t,
                     const Prove<Reading>& way) const {
    if (way.choices().size() == 2) work.p.use(quotient(IntOf<Reading>(0), t.kh, work.cut.tap_lines));
    BoxSchedule::lemmas_before(work, t, way);
  }
};

}  // namespace wgradcheck::proofs::host
