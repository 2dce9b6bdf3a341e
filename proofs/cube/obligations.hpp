#pragma once
#include "proofs/cube/cube.hpp"
#include "proofs/cube/maker.hpp"

/// The obligations of a schedule of the cube, made from its text.
namespace wgradcheck::proofs::cube {

/// Makes the obligations on each operation of a schedule.
template <class Schedule>
class Obligations : Maker<Schedule> {
  using Make = Maker<Schedule>;

 public:
  /// Throws NotASchedule.
  explicit Obligations(const Schedule& schedule) : Make(schedule) {}

  /// Throws NotASchedule, or WrongOwner.
  std::vector<Obligation> made() {
    return this->made_by([this](const auto&... of) { this->add(of...); });
  }

 private:
  using Make::add;

  void add(const std::string& name, const Found&, const auto&) {
    throw NotASchedule(name + " is no operation of the cube");
  }
  /// How many positions a slice has is given to be at least 1.
  void add(const std::string&, const Found&, const Tiles<Sym>&) {}
  void add(const std::string& name, const Found& found, const ClearSums<Sym>&) {
    add(name, "All sums of a tile begin with 0.", {found.place}, Make::template alone<ClearSums>());
  }
  void add(const std::string& name, const Found& found, const StageDy<Sym>&) {
    add(name, "Each dy of a slice is packed, from its place into one of its own.", {found.place},
        [place = found.place](auto& scene, auto& schedule, auto& met) {
          claim(scene, schedule, as<StageDy>(met[0]));
          claim_packs_all(scene, schedule, place, as<StageDy>(met[0]));
        });
  }
  void add(const std::string& name, const Found& found, const FinitePanel<Sym>&) {
    add(name, "All of dy that a slice multiplies is looked at.", {found.place},
        Make::template alone<FinitePanel>());
  }
  void add(const std::string& name, const Found& found, const ZeroX<Sym>&) {
    add(name, "What is cleared are columns of their own, in all rows of the panel or in none.", {found.place},
        Make::template alone<ZeroX>());
  }
  void add(const std::string& name, const Found& found, const StageX<Sym>&) {
    add(name, "Each element that is packed is the x of a term, and lies in the panel.", {found.place},
        Make::template alone<StageX>());
  }
  void add(const std::string& name, const Found& found, const Multiply<Sym>&) {
    const auto [zero, stage] = this->packed_for(name, found);
    const std::vector<Place> places{stage.place, found.place};
    const std::string of_stage = name + "_of_" + this->name_of(stage);
    add(of_stage, "Each product is one of the sum, of dy and x that were packed for it, with its dW.", places,
        [](auto& scene, auto& schedule, auto& met) {
          claim(scene, schedule, as<StageX>(met[0]), as<Multiply>(met[1]));
        });
    this->add_complete(of_stage, found, places, [](const auto& met, const auto& with) {
      with(as<StageX>(met[0]), as<Multiply>(met[1]));
    });
    if (!zero) {
      add(name + "_reads", "What is read of x was packed for these products.", places,
          [](auto& scene, auto& schedule, auto& met) {
            claim_reads(scene, schedule, as<StageX>(met[0]), as<Multiply>(met[1]));
          });
      return;
    }
    add(name + "_reads", "Each place of x's panel is packed once, or cleared where its tap meets padding.",
        {zero->place, found.place}, [at = stage.place](auto& scene, auto& schedule, auto& met) {
          claim_zeros(scene, schedule, as<ZeroX>(met[0]), as<Multiply>(met[1]));
          const auto& slice = scene.way.choices()[0];
          auto one = on_way(scene.work, schedule, {{at}, {slice}, false, "'"}),
               two = on_way(scene.work, schedule, {{at}, {slice}, false, "\""});
          claim_apart(one, two, as<StageX>(one.way.met()[0]), as<StageX>(two.way.met()[0]));
        });
  }
};

}  // namespace wgradcheck::proofs::cube
