#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/kernel.hpp"
#include "check/program/call_options.hpp"
#include "check/search/session.hpp"
#include "check/search/where.hpp"

namespace wgradcheck::check {

/// The words of a command that say which cases a search runs.
struct SearchOptions {
  CallOptions call;
  std::vector<std::string> where, shapes, skip, dims;
  std::string shape_file, shard;
  std::optional<std::int64_t> batch, cases;
  std::optional<std::uint64_t> seed;

  /// `usual_cases` says how many cases are generated where nothing is said.
  void add_to(CLI::App& command, const std::string& usual_cases);
  /// The conjunction of every --where. Throws BadInput.
  Where condition() const;
  /// The shapes of --shape and --shapes. Throws BadInput that names the line.
  std::vector<spec::Shape> listed() const;
  /// The plan that these words make, with `usual_cases` where they say no number. Throws BadInput.
  Plan plan(const Kernel&, const Promises&, std::int64_t usual_cases) const;
};

/// A seed from the operating system.
std::uint64_t fresh_seed();

/// Tells failures on standard output, unless `quiet`, and the progress on a terminal.
Watcher watcher_of(bool quiet);

/// Sets what a verdict says of the kernel, its promises, its domain and what the executor cannot see.
void introduce(Verdict&, const Kernel&, const Promises&, const Where& condition, const Capabilities&);

}  // namespace wgradcheck::check
