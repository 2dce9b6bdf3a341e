#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "check/run/crew.hpp"

namespace wgradcheck::check {

/// What a host kernel said of a case before it runs.
struct Answer {
  std::int64_t workspace = 0;  ///< bytes
  std::string implementation;
  std::optional<Outcome> instead;  ///< what became of a case that does not get to run
};

/// What a run of the query, which ended so, makes of the case: `workspace` is the kernel's answer and `text`
/// what it said.
Answer answer_of(std::int64_t workspace, std::span<const char> text, const Ending&);

/// What a kernel left in a text of so many bytes: up to the zero, `?` for what does not print in ASCII.
std::string said_in(std::span<const char> text);

/// An access outside the arena in words. Only near zero does the address say more than how this run was laid
/// out.
std::string far_access(std::uintptr_t address, bool write);

}  // namespace wgradcheck::check
