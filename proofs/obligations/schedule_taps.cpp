#include "proofs/host/obligations.hpp"
#include "proofs/host/taps.hpp"

namespace wgradcheck::proofs::obligations {

std::vector<Obligation> schedule_taps() { return host::Obligations(host::Taps{}).made(); }

}  // namespace wgradcheck::proofs::obligations
