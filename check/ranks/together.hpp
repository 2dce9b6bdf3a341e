#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "check/ranks/helper.hpp"

namespace wgradcheck::check {

/// A check that ranks of mpirun share.
struct Joint {
  std::uint64_t seed;  ///< of rank 0; the others take its
  bool stop_at_first;  ///< whether one rank's counterexample ends every rank's search
  /// Runs shard "i/n" and tells {"cases": [of each shard]}, then {"report": as --json has it}.
  std::function<void(const std::string& shard, std::uint64_t seed, const Helper::Owner&)> run;
  /// Gives the joined report out on rank 0 and returns the exit status.
  std::function<int(const nlohmann::ordered_json& report)> conclude;
};

/// Runs it and returns this rank's exit status, 0 on all but rank 0. The work of each rank is done in a
/// process of its own, whose death ends nothing else. A rank that itself dies or falls silent is given up;
/// where mpirun then ends all of them, rank 0 still gives out what is known. Throws BadInput.
int check_together(const Joint&);

}  // namespace wgradcheck::check
