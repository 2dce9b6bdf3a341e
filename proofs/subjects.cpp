#include "proofs/obligation.hpp"

namespace wgradcheck::proofs {

// subjects.inc names the files of proofs/obligations; each defines the function of its name.
#define SUBJECT(name) std::vector<Obligation> name();
namespace obligations {
#include "subjects.inc"
}
#undef SUBJECT

std::vector<Subject> subjects() {
#define SUBJECT(name) {#name, obligations::name()},
  return {
#include "subjects.inc"
  };
#undef SUBJECT
}

}  // namespace wgradcheck::proofs
