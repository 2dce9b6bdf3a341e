#include "proofs/cube/move.hpp"

namespace wgradcheck::proofs::obligations {

std::vector<Obligation> schedule_cube_move() { return cube::move_obligations(cube::Moving{}); }

}  // namespace wgradcheck::proofs::obligations
