#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "check/search/domain.hpp"

namespace wgradcheck::check {

/// The words of a command that fix what the convention leaves to the caller: cores or threads, sizes of
/// buffers, implementations.
struct CallOptions {
  std::string core_mask, workspace = "documented";
  std::optional<std::int64_t> buffer, implementation;
  int cores = 0, threads = 0;

  void add_to(CLI::App& command);
  /// Throws BadInput where an option is given that means nothing to the convention.
  void require_meaning(const Abi&) const;
  /// Restricts a domain whose convention is set. Throws BadInput.
  void set(Domain&) const;
};

}  // namespace wgradcheck::check
