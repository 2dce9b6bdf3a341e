#include "proofs/cube/owned.hpp"

namespace wgradcheck::proofs::obligations {

std::vector<Obligation> schedule_cube_owned() { return cube::owned_obligations(cube::Owned{}); }

}  // namespace wgradcheck::proofs::obligations
