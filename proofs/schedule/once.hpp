#pragma once
#include <optional>

#include "proofs/schedule/complete.hpp"

/// What is claimed of two products of a schedule: that they are of two terms.
namespace wgradcheck::proofs {

/// The term of any lane of an operation; the suffix is of the names of its indices.
template <class Reading, class Schedule>
auto any_term(Scene<Reading>& scene, const Schedule&, const std::string& suffix,
              const Stage<IntOf<Reading>>& from, const Packed<IntOf<Reading>>& o) {
  auto& p = scene.p;
  const auto i = index_below(p, {"pixel", suffix}, from.count),
             j = index_below(p, {"channel", suffix}, from.channels),
             row = index_below(p, {"row", suffix}, o.rows);
  return packed_term(from, o, i, j, row);
}
template <class Reading, class Schedule>
auto any_term(Scene<Reading>& scene, const Schedule&, const std::string& suffix,
              const Channels<IntOf<Reading>>& o) {
  auto& p = scene.p;
  const auto l = index_below(p, {"channel", suffix}, o.channels),
             i = index_below(p, {"line", suffix}, o.rows), j = index_below(p, {"pixel", suffix}, o.cols);
  return moved(o.first, {0, i, j, 0, 0, l, 0, 0});
}
template <class Reading, class Schedule>
auto any_term(Scene<Reading>& scene, const Schedule& schedule, const std::string& suffix,
              const InPlace<IntOf<Reading>>& o) {
  auto& p = scene.p;
  schedule.lemmas(scene, o);
  const auto row = index_below(p, {"row", suffix}, o.rows), col = index_below(p, {"col", suffix}, o.cols),
             i = index_below(p, {"position", suffix}, o.depth);
  return moved(term_at(p, scene.shape(), o.first, i), {0, 0, 0, 0, 0, 0, row, col});
}

/// The owner of a product's term is the product.
template <class Reading, class Schedule, class Operations>
void claim_once(Reading& p, const Schedule& schedule, const std::vector<Place>& places,
                Operations operations) {
  const auto work = given_work(p, schedule);
  auto scene = on_way(work, schedule, {places});
  operations(scene.way.met(), [&](const auto&... of) {
    const auto t = any_term(scene, schedule, "", of...);
    auto choices = owner_of(schedule, work, t, places.back());
    if constexpr (requires { schedule.further(work, t, scene.way); })
      for (const auto& next : schedule.further(work, t, scene.way)) choices.push_back(next);
    schedule.lemmas_owner(scene, t);
    for (std::size_t i = 0; i < choices.size(); ++i)
      p.claim({"choice ", std::to_string(i + 1)}, choices[i] == scene.way.choices()[i]);
  });
}

/// Products of one term are one product, for a schedule that names no owner.
template <class Reading, class Schedule, class Operations>
void claim_apart_products(Reading& p, const Schedule& schedule, const std::vector<Place>& places,
                          Operations operations) {
  const auto work = given_work(p, schedule);
  auto one = on_way(work, schedule, {places, {}, false, "'"}),
       two = on_way(work, schedule, {places, {}, false, "\""});
  const auto term_of = [&](auto& scene, const char* suffix) {
    std::optional<impl::Term<IntOf<Reading>>> term;
    operations(scene.way.met(),
               [&](const auto&... of) { term.emplace(any_term(scene, schedule, suffix, of...)); });
    return *term;
  };
  const auto t = term_of(one, "'"), t2 = term_of(two, "\"");
  p.assume("the same output", t.n == t2.n && t.oh == t2.oh && t.ow == t2.ow);
  p.assume("the same tap", t.kh == t2.kh && t.kw == t2.kw);
  p.assume("the same channels", t.g == t2.g && t.co == t2.co && t.ci == t2.ci);
  schedule.lemmas_apart(one, two, t, t2);
  for (std::size_t i = 0; i < one.way.choices().size(); ++i)
    p.claim({"choice ", std::to_string(i + 1)}, one.way.choices()[i] == two.way.choices()[i]);
}

}  // namespace wgradcheck::proofs
