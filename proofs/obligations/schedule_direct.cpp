#include "proofs/host/direct.hpp"
#include "proofs/host/obligations.hpp"

namespace wgradcheck::proofs::obligations {

std::vector<Obligation> schedule_direct() { return host::Obligations(host::Direct{}).made(); }

}  // namespace wgradcheck::proofs::obligations
