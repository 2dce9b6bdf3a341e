#include "fuzz/texts.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "fuzz/harness/harness.hpp"

namespace wgradcheck::fuzz {
namespace {

std::int64_t read = 0;

}  // namespace

std::string fault_of(std::string_view bytes) {
  ++read;
  return fault_of_text(bytes);
}

std::string mutated(std::string_view bytes, std::size_t most, unsigned seed) {
  check::Dice dice(seed);
  const auto& kinds = text_kinds();
  const std::size_t kind =
      bytes.empty() || dice.below(16) == 0 ? dice.below(kinds.size()) : static_cast<unsigned char>(bytes[0]);
  std::string text(bytes.empty() ? bytes : bytes.substr(1));
  do {
    text = mutated_text(std::move(text), kinds[kind % kinds.size()].sample, dice);
  } while (dice.below(3) != 0);
  return (static_cast<char>(kind) + text).substr(0, most);
}

std::string counts() { return fmt::format("{} texts", read); }

}  // namespace wgradcheck::fuzz
