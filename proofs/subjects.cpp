#include <algorithm>

#include "proofs/obligation.hpp"

namespace wgradcheck::proofs {

// subjects.inc names the files of proofs/obligations; each defines the function of its name.
#define SUBJECT(name) std::vector<Obligation> name();
namespace obligations {
#include "subjects.inc"
}
#undef SUBJECT

std::vector<Subject> subjects(bool schedules) {
  std::vector<Subject> all;
  const auto add = [&](std::string name, std::vector<Obligation> (*obligations)()) {
    std::ranges::replace(name, '_', '.');
    if (schedules || !name.starts_with("schedule.")) all.push_back({name, obligations()});
  };
#define SUBJECT(name) add(#name, obligations::name);
#include "subjects.inc"
#undef SUBJECT
  return all;
}

}  // namespace wgradcheck::proofs
