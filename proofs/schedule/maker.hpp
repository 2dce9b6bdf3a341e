#pragma once
#include "proofs/obligation.hpp"
#include "proofs/schedule/complete.hpp"
#include "proofs/schedule/explore.hpp"
#include "proofs/schedule/once.hpp"

namespace wgradcheck::proofs {

/// Thrown where a schedule's owner() does not give as many choices as lead to a product.
struct WrongOwner : std::logic_error {
  using std::logic_error::logic_error;
};

/// The operations of a schedule. Throws NotASchedule.
template <class Schedule>
std::vector<Found> found_in(const Schedule& schedule) {
  return explore([&](Explore& env, const auto& c, const auto& b) { schedule.run(env, c, b); });
}

/// What makes obligations on the operations of a schedule.
template <class Schedule>
class Maker {
 protected:
  /// Throws NotASchedule.
  explicit Maker(const Schedule& schedule) : schedule_(schedule), found_(found_in(schedule)) {}

  /// What add(name, found, operation) has added for each operation.
  std::vector<Obligation> made_by(const auto& add) {
    for (const Found& found : found_)
      std::visit([&](const auto& operation) { add(name_of(found), found, operation); }, found.operation);
    return std::move(obligations_);
  }

  /// Its kind, and which of that kind it is.
  std::string name_of(const Found& found) const {
    const std::string kind = kind_of(found.operation);
    int number = 0;
    for (const Found& f : found_) {
      number += kind_of(f.operation) == kind;
      if (f.place == found.place) break;
    }
    return kind + "_" + std::to_string(number);
  }

  /// Adds an obligation on the operations at some places: claims(scene, schedule, operations).
  template <class Claims>
  void add(const std::string& name, const std::string& sentence, const std::vector<Place>& places,
           Claims claims) {
    keep(holds(name, sentence, [schedule = schedule_, places, claims](auto& p) {
      const auto work = given_work(p, schedule);
      auto scene = on_way(work, schedule, {places});
      claims(scene, schedule, scene.way.met());
    }));
  }

  /// Whether it says which product has a term.
  static constexpr bool kOwns = requires(const Schedule& schedule, Statement<Sym>& p) {
    schedule.owner(given_work(p, schedule), given_term(given_work(p, schedule), schedule));
  } || requires(const Schedule& schedule, Statement<Sym>& p) {
    schedule.owner(given_work(p, schedule), given_term(given_work(p, schedule), schedule), Place());
  };

  /// That an operation's products are all terms, where the schedule names owners, and none twice. The lanes
  /// of one operation are of different terms: only what may be met again can add a term again.
  template <class Operations>
  void add_complete(const std::string& name, const Found& found, const std::vector<Place>& places,
                    Operations operations) {
    if constexpr (kOwns) {
      check_owner(name, places);
      keep(holds(name + "_every", "Each term of the block's sum is one of these products.",
                 [schedule = schedule_, places, operations](auto& p) {
                   claim_every(p, schedule, places, operations);
                 }));
    }
    if (!found.repeated) return;
    if constexpr (kOwns)
      keep(holds(name + "_once", "No term is added twice: its owner is the one product of it.",
                 [schedule = schedule_, places, operations](auto& p) {
                   claim_once(p, schedule, places, operations);
                 }));
    else
      keep(holds(name + "_once", "No term is added twice: products of one term are one product.",
                 [schedule = schedule_, places, operations](auto& p) {
                   claim_apart_products(p, schedule, places, operations);
                 }));
  }

  void keep(Obligation obligation) {
    obligation.of_one_text = true;
    obligations_.push_back(std::move(obligation));
  }

  template <template <class> class Kind>
  static auto alone() {
    return [](auto& scene, auto& schedule, auto& met) { claim(scene, schedule, as<Kind>(met[0])); };
  }

  Schedule schedule_;
  std::vector<Found> found_;
  std::vector<Obligation> obligations_;

 private:
  /// Throws WrongOwner unless an owner is as many choices as lead to the product.
  void check_owner(const std::string& name, const std::vector<Place>& places) const {
    Statement<Sym> p;
    const auto work = given_work(p, schedule_);
    const auto term = given_term(work, schedule_);
    auto owner = owner_of(schedule_, work, term, places.back()).size();
    const auto scene = on_way(work, schedule_, {places});
    const auto lead = scene.way.choices().size();
    if constexpr (requires { schedule_.further(work, term, scene.way); })
      owner += schedule_.further(work, term, scene.way).size();
    if (owner != lead)
      throw WrongOwner("owner gives " + std::to_string(owner) + " choices, but " + std::to_string(lead) +
                       " lead to " + name);
  }
};

}  // namespace wgradcheck::proofs
