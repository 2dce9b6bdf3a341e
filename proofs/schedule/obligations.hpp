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

  /// Throws NotASchedule, or WrongOwner.
  std::vector<Obligation> made() {
    return this->made_by([this](const auto&... of) { this->add(of...); });
  }

 private:
  using Make::add;
  static constexpr const char* kProduct = "Each product is one of the sum, with its dy, x and dW.";

  void add(const std::string& name, const Found&, const auto&) {
    throw NotASchedule(name + " is no operation of the documents' machine");
  }
  void add(const std::string& name, const Found& found, const Tiles<Sym>& tiles) {
    // The machine's own sizes are given to be at least 1.
    if (to_string(tiles.size) == "channel_tile" || to_string(tiles.size) == "line_tile") return;
    add(name, "Each tile holds something: the loop ends.", {found.place}, Make::template alone<Tiles>());
  }
  void add(const std::string& name, const Found& found, const Finite<Sym>&) {
    add(name, "Each element that is looked at lies in dy.", {found.place}, Make::template alone<Finite>());
  }
  void add(const std::string& name, const Found& found, const Clear<Sym>&) {
    add(name, "What is cleared lies in scratch.", {found.place}, Make::template alone<Clear>());
  }
  void add(const std::string& name, const Found& found, const Stage<Sym>&) {
    add(name + "_reads", "Each element that is packed is the x of a term.", {found.place},
        Make::template alone<Stage>());
    add(name + "_writes", "Each place that is packed lies in scratch.", {found.place},
        [](auto& scene, auto& schedule, auto& met) { claim_writes(scene, schedule, as<Stage>(met[0])); });
  }
  void add(const std::string& name, const Found& found, const Packed<Sym>&) {
    add(name + "_reads_dy", "Each dy element that is read lies in dy.", {found.place},
        Make::template alone<Packed>());
    const std::vector<Found> before = writers(this->found_, found.place);
    add(name + "_reads_scratch", "Each place of scratch that is read was written in the same iteration.",
        {before.front().place, found.place}, [](auto& scene, auto& schedule, auto& met) {
          claim_reads_scratch(scene, schedule, as<Packed>(met[1]), met[0]);
        });
    for (const Found& writer : before)
      if (std::holds_alternative<Stage<Sym>>(writer.operation)) add_packed(name, writer, found);
  }
  void add_packed(const std::string& name, const Found& stage, const Found& found) {
    const std::string of_stage = name + "_of_" + this->name_of(stage);
    add(of_stage, kProduct, {stage.place, found.place}, [](auto& scene, auto& schedule, auto& met) {
      claim(scene, schedule, as<Stage>(met[0]), as<Packed>(met[1]));
    });
    this->add_complete(of_stage, found, {stage.place, found.place}, [](const auto& met, const auto& with) {
      with(as<Stage>(met[0]), as<Packed>(met[1]));
    });
    add(this->name_of(stage) + "_apart", "No two terms are packed in one place for one product.",
        {found.place}, [at = stage.place](auto& scene, auto& schedule, auto&) {
          // The choices on the way to the product are those of one iteration of its body.
          auto one = on_way(scene.work(), schedule, {{at}, scene.way.choices(), false, "'"}),
               two = on_way(scene.work(), schedule, {{at}, scene.way.choices(), false, "\""});
          claim_apart(one, two, schedule, as<Stage>(one.way.met()[0]), as<Stage>(two.way.met()[0]));
        });
  }
  void add(const std::string& name, const Found& found, const InPlace<Sym>&) {
    add(name, kProduct, {found.place}, Make::template alone<InPlace>());
    this->add_complete(name, found, {found.place},
                       [](const auto& met, const auto& with) { with(as<InPlace>(met[0])); });
  }
  void add(const std::string& name, const Found& found, const Channels<Sym>&) {
    add(name, kProduct, {found.place}, Make::template alone<Channels>());
    this->add_complete(name, found, {found.place},
                       [](const auto& met, const auto& with) { with(as<Channels>(met[0])); });
  }
};

}  // namespace wgradcheck::proofs
