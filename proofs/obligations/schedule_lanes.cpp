#include "proofs/host/lanes.hpp"
#include "proofs/host/obligations.hpp"

namespace wgradcheck::proofs::obligations {

std::vector<Obligation> schedule_lanes() { return host::Obligations(host::Lanes{}).made(); }

}  // namespace wgradcheck::proofs::obligations
