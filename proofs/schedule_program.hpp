#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace wgradcheck::proofs {

/// Thrown where no program can be made of a header, with one sentence that says why.
struct NotBuilt : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Makes a program that proves the schedule of a header, with the compiler that CXX names or c++, and runs it
/// with these options; returns its exit status. The header defines `struct Schedule`, which derives from
/// AnySchedule. Throws NotBuilt.
int run_schedule(const std::string& header, const std::vector<std::string>& options);

}  // namespace wgradcheck::proofs
