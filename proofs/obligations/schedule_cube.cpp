#include "proofs/cube/obligations.hpp"

namespace wgradcheck::proofs::obligations {

std::vector<Obligation> schedule_cube() { return cube::Obligations(cube::Cube{}).made(); }

}  // namespace wgradcheck::proofs::obligations
