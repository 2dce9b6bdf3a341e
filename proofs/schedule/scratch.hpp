#pragma once
#include "proofs/schedule/terms.hpp"

/// What is claimed of the scratch that a schedule packs and reads.
namespace wgradcheck::proofs {

template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const Clear<IntOf<Reading>>& o) {
  schedule.lemmas(scene, o);
  scene.p.claim("inside scratch",
                0 <= o.count && o.count <= impl::scratch_elems(scene.c, length(scene.b.cols)));
}

/// Where a stage writes to.
template <class Reading, class Schedule>
void claim_writes(Scene<Reading>& scene, const Schedule& schedule, const Stage<IntOf<Reading>>& o) {
  auto& p = scene.p;
  schedule.lemmas(scene, o);
  const auto i = index_below(p, "pixel", o.count), j = index_below(p, "channel", o.channels);
  const auto place = (o.row + i) * o.step + o.col + j;
  p.use(digits(o.row + i, o.row + o.count, o.col + j, o.step));
  p.claim("inside its row", 0 <= o.row && 0 <= o.col && o.col + j < o.step);
  p.claim("inside scratch", 0 <= place && place < impl::scratch_elems(scene.c, length(scene.b.cols)));
}

/// How much of scratch a writer leaves filled: as many zeros as are cleared, or all that is packed.
template <class Reading>
IntOf<Reading> filled(Reading& p, const Operation<IntOf<Reading>>& writer) {
  using Int = IntOf<Reading>;
  if (const auto* clear = std::get_if<Clear<Int>>(&writer)) return clear->count;
  const auto& stage = std::get<Stage<Int>>(writer);
  p.claim("packed from the first on", stage.row == 0 && stage.col == 0);
  p.claim("without holes", stage.step == stage.channels);
  return stage.count * stage.step;
}

/// What a product reads of scratch after the first writer of it.
template <class Reading, class Schedule>
void claim_reads_scratch(Scene<Reading>& scene, const Schedule& schedule, const Packed<IntOf<Reading>>& o,
                         const Operation<IntOf<Reading>>& writer) {
  auto& p = scene.p;
  schedule.lemmas(scene, o);
  const auto i = index_below(p, "position", o.depth), j = index_below(p, "col", o.cols);
  p.use(digits(i, o.depth, j, o.step));
  p.claim("inside its row", j < o.step);
  const auto place = i * o.step + j, written = filled(p, writer);
  p.claim("written", 0 <= place && place < written);
  p.claim("inside scratch", written <= impl::scratch_elems(scene.c, length(scene.b.cols)));
}

/// Two places that a stage packs, in one iteration of the body that reads them, are of one term's x or apart.
template <class Reading, class Schedule>
void claim_apart(Scene<Reading>& scene, Scene<Reading>& other, const Schedule& schedule,
                 const Stage<IntOf<Reading>>& o, const Stage<IntOf<Reading>>& o2) {
  auto& p = scene.p;
  const auto i = index_below(p, "pixel", o.count), i2 = index_below(p, "pixel'", o2.count),
             j = index_below(p, "channel", o.channels), j2 = index_below(p, "channel'", o2.channels);
  p.assume("the same place", o.row + i == o2.row + i2 && o.col + j == o2.col + j2);
  const auto term = moved(o.first, {0, 0, i, 0, 0, 0, 0, j}),
             term2 = moved(o2.first, {0, 0, i2, 0, 0, 0, 0, j2});
  schedule.lemmas(scene, o);
  schedule.lemmas(other, o2);
  schedule.lemmas_apart(scene, other, term, term2);
  p.claim("the same output", term.n == term2.n && term.oh == term2.oh && term.ow == term2.ow);
  p.claim("the same tap", term.kh == term2.kh && term.kw == term2.kw);
  p.claim("the same input channel", term.g == term2.g && term.ci == term2.ci);
}

}  // namespace wgradcheck::proofs
