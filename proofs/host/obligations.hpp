#pragma once
#include "proofs/host/maker.hpp"

/// The obligations of a schedule of the host library, made from its text.
namespace wgradcheck::proofs::host {

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
    throw NotASchedule(name + " is no operation of the host library");
  }
  /// How work is cut is given to be at least 1.
  void add(const std::string&, const Found&, const Tiles<Sym>&) {}
  void add(const std::string& name, const Found& found, const ClearIfNone<Sym>&) {
    add(name, "Sums that get no product are cleared, and no others.", {found.place},
        Make::template alone<ClearIfNone>());
  }
  void add(const std::string& name, const Found& found, const InPlace<Sym>&)
    requires(!Schedule::kStages && !Schedule::kLanes)
  {
    add(name, "Each product is one of the sum, with its dy, x and dW.", {found.place},
        Make::template alone<InPlace>());
    this->template complete<InPlace>(name, found);
  }
  void add(const std::string& name, const Found& found, const PackDy<Sym>&)
    requires Schedule::kStages
  {
    this->template add_pixels<PackDy>(name, found);
    this->template add_lying<PackDy>(name, found);
  }
  void add(const std::string& name, const Found& found, const PackX<Sym>&)
    requires(Schedule::kStages && !Schedule::kRows)
  {
    this->template add_pixels<PackX>(name, found);
    this->template add_lying<PackX>(name, found);
  }
  void add(const std::string& name, const Found& found, const ClearX<Sym>&)
    requires Schedule::kRows
  {
    const bool behind = name.ends_with("2");
    this->template add_pack<ClearX>(name, "What is cleared are the pixels of each row outside the input.",
                                    found, [behind](auto& scene, auto& schedule, auto& operation) {
                                      claim_zeros(scene, schedule, operation, behind);
                                    });
  }
  void add(const std::string& name, const Found& found, const WidenX<Sym>&)
    requires Schedule::kRows
  {
    this->template add_pack<WidenX>(name, "What is copied are the pixels of each row inside the input.",
                                    found, [](auto& scene, auto& schedule, auto& operation) {
                                      claim(scene, schedule, operation);
                                      claim_rows_apart(scene, schedule);
                                    });
  }
  void add(const std::string& name, const Found& found, const WidenLanes<Sym>&)
    requires Schedule::kLanes
  {
    this->template add_pixels<WidenLanes>(name, found);
  }
  void add(const std::string& name, const Found& found, const SpreadDy<Sym>&)
    requires Schedule::kLanes
  {
    this->template add_pixels<SpreadDy>(name, found);
  }
  void add(const std::string& name, const Found& found, const LaneProducts<Sym>&)
    requires Schedule::kLanes
  {
    this->add_lanes(name, "both staged for it", found, false, false);
    this->add_lanes(name + "_of_x_in_place", "x where it is, dy staged for it", found, true, false);
    this->add_lanes(name + "_in_place", "both where they are", found, true, true);
    this->check_packed(name, found);
    this->template complete<LaneProducts>(name, found);
  }
  void add(const std::string& name, const Found& found, const FiniteDy<Sym>&)
    requires Schedule::kRows
  {
    add(name, "Where rows have zeros, all pixels of dy that they meet are looked at.", {found.place},
        Make::template alone<FiniteDy>());
  }
  void add(const std::string& name, const Found& found, const Product<Sym>&)
    requires Schedule::kStages
  {
    add(name, "Each product is one of the sum, of dy and x that were packed for it, with its dW.",
        {found.place}, Make::template alone<Product>());
    this->check_packed(name, found);
    this->template complete<Product>(name, found);
  }
};

}  // namespace wgradcheck::proofs::host
