#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/harness/harness.hpp"

namespace fuzz = wgradcheck::fuzz;

namespace {

std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

void tell_counts() { std::fprintf(stderr, "%s\n", fuzz::counts().c_str()); }

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  std::atexit(tell_counts);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string fault = fuzz::fault_of(text(data, size));
  if (fault.empty()) return 0;
  std::fprintf(stderr, "fault: %s\n", fault.c_str());
  std::abort();
}

/// One time in four libFuzzer's own changes, which know the constants that the code compares with.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string changed = fuzz::mutated(text(data, size), most, seed / 4);
  std::copy_n(changed.begin(), std::min(changed.size(), most), data);
  return std::min(changed.size(), most);
}
