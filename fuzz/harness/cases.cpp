#include "fuzz/cases.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "check/fuzz/genes.hpp"
#include "check/fuzz/mutate.hpp"
#include "fuzz/harness/harness.hpp"

namespace wgradcheck::fuzz {
namespace {

/// The bundled targets, or the one that a variable names.
Cases& cases() {
  static Cases all = [] {
    std::vector<check::Kernel> kernels = own_targets();
    if (const char* const only = std::getenv("WGRADCHECK_FUZZ_TARGET"))
      std::erase_if(kernels, [only](const check::Kernel& k) { return k.name != only; });
    return Cases(kernels);
  }();
  return all;
}

}  // namespace

std::string fault_of(std::string_view bytes) { return cases().fault_of(bytes); }

std::string mutated(std::string_view bytes, std::size_t most, unsigned seed) {
  check::Dice dice(seed);
  return check::mutated_genes(bytes, {}, dice).substr(0, most);
}

std::string counts() {
  return fmt::format("{} cases, {} runs, {} outside a target's domain", cases().inputs(), cases().runs(),
                     cases().outside());
}

}  // namespace wgradcheck::fuzz
