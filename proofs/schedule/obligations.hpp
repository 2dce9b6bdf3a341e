#pragma once
#include "proofs/schedule/maker.hpp"
#include "proofs/schedule/scratch.hpp"

/// The obligations of a schedule, made from its text.
namespace wgradcheck::proofs {

/// Makes the obligations on each operation of a schedule.
template <class Schedule>
class Obligations : Maker<Schedule> {
  using Make = Maker<Schedule>;

 public:
  /// Throws NotASchedule.
  explicit Obligations(const Schedule& schedule) : Make(schedule) {}

  std::vector<Obligation> made() {
    for (const Found& found : this->found_)
      std::visit([&](const auto& operation) { add(this->name_of(found), found.place, operation); },
                 found.operation);
    return std::move(this->obligations_);
  }

 private:
  using Make::add;
  template <template <class> class Kind, class SceneOf, class Any>
  static const auto& as(const SceneOf& scene, const Any& any) {
    return Make::template as<Kind>(scene, any);
  }
  static constexpr const char* kProduct = "Each product is one of the sum, with its dy, x and dW.";

  void add(const std::string& name, const Place& place, const Tiles<Sym>& tiles) {
    // The machine's own sizes are given to be at least 1.
    if (to_string(tiles.size) == "channel_tile" || to_string(tiles.size) == "line_tile") return;
    add(name, "Each tile holds something: the loop ends.", {place}, Make::template alone<Tiles>());
  }
  void add(const std::string& name, const Place& place, const Finite<Sym>&) {
    add(name, "Each element that is looked at lies in dy.", {place}, Make::template alone<Finite>());
  }
  void add(const std::string& name, const Place& place, const Clear<Sym>&) {
    add(name, "What is cleared lies in scratch.", {place}, Make::template alone<Clear>());
  }
  void add(const std::string& name, const Place& place, const Stage<Sym>&) {
    add(name + "_reads", "Each element that is packed is the x of a term.", {place},
        Make::template alone<Stage>());
    add(name + "_writes", "Each place that is packed lies in scratch.", {place},
        [](auto& scene, auto& schedule, auto& met) {
          claim_writes(scene, schedule, as<Stage>(scene, met[0]));
        });
  }
  void add(const std::string& name, const Place& place, const Packed<Sym>&) {
    add(name + "_reads_dy", "Each dy element that is read lies in dy.", {place},
        Make::template alone<Packed>());
    const std::vector<Found> before = writers(this->found_, place);
    add(name + "_reads_scratch", "Each place of scratch that is read was written in the same iteration.",
        {before.front().place, place}, [](auto& scene, auto& schedule, auto& met) {
          claim_reads_scratch(scene, schedule, as<Packed>(scene, met[1]), met[0]);
        });
    for (const Found& writer : before)
      if (std::holds_alternative<Stage<Sym>>(writer.operation)) add_packed(name, writer, place);
  }
  void add_packed(const std::string& name, const Found& stage, const Place& place) {
    const auto both = [](const auto& met, const auto& with) {
      with(std::get<3>(met[0]), std::get<4>(met[1]));
    };
    const std::string of_stage = name + "_of_" + this->name_of(stage);
    add(of_stage, kProduct, {stage.place, place}, [](auto& scene, auto& schedule, auto& met) {
      claim(scene, schedule, as<Stage>(scene, met[0]), as<Packed>(scene, met[1]));
    });
    this->add_complete(of_stage, {stage.place, place}, both);
    add(this->name_of(stage) + "_apart", "No two terms are packed in one place for one product.", {place},
        [at = stage.place](auto& scene, auto& schedule, auto&) {
          // The choices on the way to the product are those of one iteration of its body.
          auto one = on_way(scene.work(), schedule, {{at}, scene.way.choices(), false, "'"}),
               two = on_way(scene.work(), schedule, {{at}, scene.way.choices(), false, "\""});
          claim_apart(one, two, schedule, as<Stage>(one, one.way.met()[0]), as<Stage>(two, two.way.met()[0]));
        });
  }
  void add(const std::string& name, const Place& place, const InPlace<Sym>&) {
    add(name, kProduct, {place}, Make::template alone<InPlace>());
    // No choice leads to it, and its lanes count the terms' positions: each term is added once.
    this->add_every(name, {place}, [](const auto& met, const auto& with) { with(std::get<5>(met[0])); });
  }
  void add(const std::string& name, const Place& place, const Channels<Sym>&) {
    add(name, kProduct, {place}, Make::template alone<Channels>());
    this->add_complete(name, {place}, [](const auto& met, const auto& with) { with(std::get<6>(met[0])); });
  }
};

}  // namespace wgradcheck::proofs
