#include "proofs/host/folded.hpp"
#include "proofs/host/obligations.hpp"

namespace wgradcheck::proofs::obligations {

std::vector<Obligation> schedule_folded() { return host::Obligations(host::Folded{}).made(); }

}  // namespace wgradcheck::proofs::obligations
