#pragma once
#include <CLI/CLI.hpp>

namespace wgradcheck::proofs {

/// Adds the command `prove`. Running it prints the table and leaves its exit status in `status`: 0 every
/// verdict as expected, 1 some verdict not, 2 bad input, 3 some unknown and nothing worse.
void add_prove(CLI::App&, int& status);

}  // namespace wgradcheck::proofs
