#pragma once
#include <CLI/CLI.hpp>

#include "proofs/obligation.hpp"

namespace wgradcheck::proofs {

/// Adds the command `prove`. Running it prints the table and leaves its exit status in `status`: 0 every
/// verdict as expected, 1 some verdict not, 2 bad input, 3 some unknown and nothing worse. Given a file
/// instead of a pattern it proves the schedule that the file holds.
void add_prove(CLI::App&, int& status);

/// The main function of a program that proves one schedule: `prove` on what `made` returns, with its options
/// but without a pattern. What is no schedule is told, with status 1.
int prove_one(const std::string& name, std::vector<Obligation> (*made)(), int argc, char** argv);

}  // namespace wgradcheck::proofs
