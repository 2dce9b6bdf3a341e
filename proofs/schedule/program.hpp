#pragma once
#include "proofs/schedule/obligations.hpp"

namespace wgradcheck::proofs {

int prove_one(const std::string& name, std::vector<Obligation> (*made)(), int argc, char** argv);

/// The main function of a program that proves a schedule.
template <class Schedule>
int prove_schedule(const std::string& name, int argc, char** argv) {
  return prove_one(
      name, [] { return Obligations(Schedule{}).made(); }, argc, argv);
}

}  // namespace wgradcheck::proofs
