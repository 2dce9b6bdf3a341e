#include "check/report/hash.hpp"

#include <fmt/format.h>

namespace wgradcheck::check {

void Hash::add(std::string_view part) {
  const auto byte = [this](unsigned char b) { hash_ = (hash_ ^ b) * 0x100000001b3; };
  for (const char c : part) byte(static_cast<unsigned char>(c));
  byte(0);
}

std::string Hash::text() const { return fmt::format("{:016x}", hash_); }

}  // namespace wgradcheck::check
