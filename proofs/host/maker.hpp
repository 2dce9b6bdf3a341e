#pragma once
#include "proofs/host/claims.hpp"
#include "proofs/schedule/maker.hpp"

namespace wgradcheck::proofs::host {

/// What makes obligations on the operations of a schedule of the host library.
template <class Schedule>
class Maker : protected proofs::Maker<Schedule> {
  using Base = proofs::Maker<Schedule>;

 protected:
  /// Throws NotASchedule.
  explicit Maker(const Schedule& schedule) : Base(schedule) {}

  template <template <class> class Kind>
  static constexpr bool kOfDy =
      std::is_same_v<Kind<Sym>, PackDy<Sym>> || std::is_same_v<Kind<Sym>, SpreadDy<Sym>>;

  /// That an operation packs what it should: claims(scene, schedule, operation), and each line of those of dy
  /// that the box has or of x that are picked.
  template <template <class> class Kind>
  void add_pack(const std::string& name, const std::string& sentence, const Found& found, auto claims) {
    this->keep(holds(name, sentence, [schedule = this->schedule_, place = found.place, claims](auto& p) {
      const auto work = given_work(p, schedule);
      auto scene = on_way(work, schedule, {{place}});
      claims(scene, schedule, as<Kind>(scene.way.met()[0]));
      using Int = IntOf<decltype(p)>;
      const impl::Range<Int> outputs = outputs_on(scene, schedule).lines,
                             picked{0, lines_of(schedule.lines(scene))};
      claim_packs_all(scene, schedule, place, kOfDy<Kind> ? outputs : picked);
    }));
  }
  /// The same of one that packs pixels, and that no two lie in one place.
  template <template <class> class Kind>
  void add_pixels(const std::string& name, const Found& found) {
    add_pack<Kind>(name, "Each pixel of a box is packed, from its place into the one for it.", found,
                   [](auto& scene, auto& schedule, auto& operation) { claim(scene, schedule, operation); });
    add_pair<Kind>(name + "_apart", "No two pixels of a box are packed in one place.", found,
                   [](auto&... of) { claim_apart(of...); });
  }
  /// What holds of two operations of one kind that work on one box.
  template <template <class> class Kind>
  void add_pair(const std::string& name, const std::string& sentence, const Found& found, auto claims) {
    this->keep(holds(name, sentence, [schedule = this->schedule_, place = found.place, claims](auto& p) {
      const auto work = given_work(p, schedule);
      auto one = on_way(work, schedule, {{place}});
      const auto first = one.way.choices().begin();
      auto two = on_way(work, schedule, {{place}, {first, first + Schedule::kPlanes + 3}, false, "'"});
      claims(one, two, schedule, as<Kind>(one.way.met()[0]), as<Kind>(two.way.met()[0]));
    }));
  }
  /// That pixels may be read where they are instead, where the schedule says so.
  template <template <class> class Kind>
  void add_lying(const std::string& name, const Found& found) {
    if constexpr (requires(const Work<Statement<Sym>>& work) { Schedule::lies(work.s, work.cut); })
      add_pair<Kind>(name + "_as_they_lie",
                     "Pixels that lie as staged do so: any two as far from each other.", found,
                     [](auto&... of) { claim_lies(of...); });
  }
  /// That products of lanes are of the sum, where x and dy are read in place or are not.
  void add_lanes(const std::string& name, const std::string& where, const Found& found, bool x, bool dy) {
    this->keep(holds(name, "Each product is one of the sum, of dy and x, " + where + ", with its dW.",
                     [schedule = this->schedule_, place = found.place, x, dy](auto& p) {
                       const auto work = given_work(p, schedule);
                       typename Prove<std::remove_reference_t<decltype(p)>>::Way way{{place}};
                       way.x_in_place = x;
                       way.dy_in_place = dy;
                       auto scene = on_way(work, schedule, way);
                       claim(scene, schedule, as<LaneProducts>(scene.way.met()[0]));
                     }));
  }
  /// That its products are all terms, none twice, and that its sums begin.
  template <template <class> class Kind>
  void complete(const std::string& name, const Found& found) {
    this->add_complete(name, found, {found.place},
                       [](const auto& met, const auto& with) { with(as<Kind>(met[0])); });
    this->keep(holds(name + "_begins", "Sums that get products begin with the first box's, and no others'.",
                     [schedule = this->schedule_, place = found.place](auto& p) {
                       const auto work = given_work(p, schedule);
                       claim_begins(work, schedule, place,
                                    [](auto& scene) -> const auto& { return as<Kind>(scene.way.met()[0]); });
                     }));
  }
  /// Throws NotASchedule unless what a product reads is packed before it and for the same box, dy by one
  /// operation, and x by one or as rows, zeros before and behind the inputs.
  void check_packed(const std::string& name, const Found& reader) const {
    const auto body = static_cast<std::ptrdiff_t>(Schedule::kPlanes + 3);
    std::string writers;
    for (const Found& f : this->found_) {
      if (!packs(f.operation)) continue;
      writers += " " + kind_of(f.operation);
      if (!std::equal(f.place.begin(), f.place.begin() + body, reader.place.begin()) ||
          f.place[Schedule::kPlanes + 3] >= reader.place[Schedule::kPlanes + 3])
        throw NotASchedule(name + " may read what was packed for another box by " + to_string(f.operation));
    }
    const char* const expected = Schedule::kLanes  ? " widen_lanes spread_dy"
                                 : Schedule::kRows ? " pack_dy clear_x widen_x clear_x"
                                                   : " pack_dy pack_x";
    if (writers != expected) throw NotASchedule(name + " reads what is packed by" + writers);
  }
};

}  // namespace wgradcheck::proofs::host
