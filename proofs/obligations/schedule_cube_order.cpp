#include "proofs/cube/order.hpp"

namespace wgradcheck::proofs::obligations {

std::vector<Obligation> schedule_cube_order() { return cube::order_obligations(cube::Order{}); }

}  // namespace wgradcheck::proofs::obligations
