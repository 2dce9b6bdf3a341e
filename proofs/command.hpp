#pragma once
#include <CLI/CLI.hpp>
#include <functional>

#include "proofs/nest.hpp"

namespace wgradcheck::proofs {

/// Compares the products of a nest with those that a kernel uses, by the words that name the kernel; prints
/// what it finds and returns an exit status, 0 where they are the same.
using CompareKernel = std::function<int(const std::string& kernel, const std::vector<NestProducts>& nest)>;

/// Adds the command `prove`. Running it prints the table and leaves its exit status in `status`: 0 every
/// verdict as expected, 1 some verdict not, 2 bad input, 3 some unknown and nothing worse. Given a file
/// instead of a pattern it proves the schedule that the file holds, and compares it with a kernel.
void add_prove(CLI::App&, int& status, const CompareKernel&);

}  // namespace wgradcheck::proofs
