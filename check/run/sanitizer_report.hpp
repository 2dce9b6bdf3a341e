#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace wgradcheck::check {

/// What a sanitizer wrote before it ended a program.
struct SanitizerReport {
  std::string finding;                     ///< one line: what, and where in the source
  std::optional<std::uint64_t> address{};  ///< of the access, where it is one
  bool write = false;
};

/// The first report of AddressSanitizer or UndefinedBehaviorSanitizer in a program's output, or nothing.
std::optional<SanitizerReport> find_report(const std::string& output);

}  // namespace wgradcheck::check
