#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "check/judge/promises.hpp"
#include "check/kernel.hpp"
#include "check/report/replay.hpp"
#include "check/report/saved.hpp"

namespace wgradcheck::check {

/// What there is to report of a check.
struct Checked {
  const Verdict& verdict;
  const Invocation& how;
  const Kernel& kernel;
  const Promises& promises;
  Saved saved;                     ///< the part of a saved counterexample that names the kernel
  nlohmann::ordered_json shard{};  ///< which part of a run it was; null: all of it
};

/// The exit status that it makes: 0 no counterexample, 1 one, or a difference beyond the bound, 3 no verdict.
int status_of(const Verdict&);

/// Its counterexamples as they are saved.
std::vector<Saved> counterexamples_of(const Checked&);

/// Prints a report that several made and writes it as JSON where that names a file; returns the exit status
/// that it makes. Throws BadInput.
int give_out(const nlohmann::ordered_json& joined, const std::string& json);

/// Its JSON report.
nlohmann::ordered_json json_of(const Checked&);

/// Where the reports of a check go, each a file; `-` is standard output, which then has nothing else.
struct Outputs {
  std::string json, junit, html, c, save;

  void add_to(CLI::App& command);
  /// Whether an option of that name says where a report goes.
  static bool names(const std::string& option);
  bool to_standard_output() const;
  /// The first option given but --json, or null.
  const char* other_than_json() const;
  /// Throws BadInput, before long work, where `write` could not write.
  void require_writable() const;
  /// Writes every report asked for, and the text unless standard output has one. Throws BadInput.
  void write(const Checked&) const;
};

}  // namespace wgradcheck::check
