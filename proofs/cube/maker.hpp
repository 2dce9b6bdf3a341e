#pragma once
#include "proofs/cube/products.hpp"
#include "proofs/schedule/maker.hpp"

namespace wgradcheck::proofs::cube {

/// What makes obligations on the operations of a schedule of the cube.
template <class Schedule>
class Maker : protected proofs::Maker<Schedule> {
 protected:
  /// Throws NotASchedule.
  explicit Maker(const Schedule& schedule) : proofs::Maker<Schedule>(schedule) {}

  struct PackedBy {
    const Found* zero;
    const Found& stage;
  };
  /// What packs x for a product. Throws NotASchedule unless dy is packed before in the same slice, and x in
  /// the same body: by one operation just before the product; or in a loop before it where what is not packed
  /// is cleared first, in the branch for a dy that was seen to be finite.
  PackedBy packed_for(const std::string& name, const Found& reader) const {
    const auto before = [&](const Place& place, const Place& body) {
      return place.size() > body.size() && std::equal(body.begin(), body.end(), place.begin()) &&
             place < reader.place;
    };
    const auto only = [&]<class Kind>(const Kind&, const Place& body) {
      const Found* one = nullptr;
      for (const Found& f : this->found_) {
        if (!std::holds_alternative<Kind>(f.operation) || !before(f.place, body)) continue;
        if (one) throw NotASchedule(name + " reads what is packed twice, by " + to_string(f.operation));
        one = &f;
      }
      return one;
    };
    const Place slice{reader.place.front()}, body(reader.place.begin(), reader.place.end() - 1);
    const Sym none = 0;
    const Found* const dy = only(StageDy<Sym>{none, none, none, none}, slice);
    const Found* const stage = only(StageX<Sym>{none, none, none, none, none, none}, body);
    const Found* const zero = only(ZeroX<Sym>{none, none, none}, body);
    if (!dy || !stage) throw NotASchedule(name + " reads what was not packed before it in its slice");
    if (stage->place.size() == reader.place.size() && !zero) return {nullptr, *stage};
    if (!zero || zero->place.size() != body.size() + 2 || !(zero->place < stage->place) ||
        !std::equal(zero->place.begin(), zero->place.end() - 1, stage->place.begin()))
      throw NotASchedule(name + " may read what was packed before");
    const Found* const finite = only(FinitePanel<Sym>{none, none}, slice);
    if (!finite || Place{finite->place.front(), finite->place.back() + 1} != body ||
        !(dy->place < finite->place))
      throw NotASchedule(name + " may multiply zeros by what was not seen to be finite");
    return {zero, *stage};
  }
};

}  // namespace wgradcheck::proofs::cube
