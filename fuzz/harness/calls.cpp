#include "fuzz/calls.hpp"

#include <fmt/format.h>

#include "check/fuzz/mutate.hpp"
#include "fuzz/harness/harness.hpp"

namespace wgradcheck::fuzz {
namespace {

Calls& calls() {
  static Calls all(targets_that_refuse());
  return all;
}

}  // namespace

std::string fault_of(std::string_view bytes) { return calls().fault_of(bytes); }

std::string mutated(std::string_view bytes, std::size_t most, unsigned seed) {
  check::Dice dice(seed);
  return bytes_of(check::mutated(check::raw_call_of(bytes), dice)).substr(0, most);
}

std::string counts() {
  return fmt::format("{} calls refused, {} run, {} valid but too large and planned only", calls().refused(),
                     calls().run(), calls().planned());
}

}  // namespace wgradcheck::fuzz
