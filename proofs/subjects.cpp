#include <algorithm>

#include "proofs/obligation.hpp"

namespace wgradcheck::proofs {

// subjects.inc names the files of proofs/obligations; each defines the function of its name.
#define SUBJECT(name) std::vector<Obligation> name();
namespace obligations {
#include "subjects.inc"
}
#undef SUBJECT

std::vector<Subject> subjects() {
  const auto dotted = [](std::string name) {
    std::ranges::replace(name, '_', '.');
    return name;
  };
#define SUBJECT(name) {dotted(#name), obligations::name()},
  return {
#include "subjects.inc"
  };
#undef SUBJECT
}

}  // namespace wgradcheck::proofs
