#include "fuzz/tilings.hpp"

#include <fmt/format.h>

#include "check/fuzz/mutate.hpp"
#include "fuzz/harness/harness.hpp"

namespace wgradcheck::fuzz {
namespace {

std::int64_t tiled = 0, refused = 0;

std::int64_t counted_tiler(const TilingQuestion& q, Conv3DBackpropFilterTilingData& data) {
  const std::int64_t answer = documented_tiler(q, data);
  ++(answer == 0 ? tiled : refused);
  return answer;
}

}  // namespace

std::string fault_of(std::string_view bytes) { return fault_of_tiling(counted_tiler, question_of(bytes)); }

std::string mutated(std::string_view bytes, std::size_t most, unsigned seed) {
  check::Dice dice(seed);
  TilingQuestion q = question_of(bytes);
  do {
    mutate(q, dice);
  } while (dice.below(3) != 0);
  return bytes_of(q).substr(0, most);
}

std::string counts() { return fmt::format("{} tilings, {} refusals", tiled, refused); }

}  // namespace wgradcheck::fuzz
