#include "proofs/cube/shared.hpp"

namespace wgradcheck::proofs::obligations {

std::vector<Obligation> schedule_cube_shared() { return cube::shared_obligations(cube::Shared{}); }

}  // namespace wgradcheck::proofs::obligations
