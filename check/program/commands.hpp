#pragma once
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "proofs/nest.hpp"

/// The program's commands. Each registers itself and leaves its exit status in `status`: 0 no counterexample
/// or all proved, 1 a counterexample or an unexpected verdict of a proof, 2 bad usage or input, 3 no verdict.
namespace wgradcheck::check {

/// Help texts that keep within 80 columns.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App*) const override;
  std::string make_option_desc(const CLI::Option*) const override;
  std::string make_subcommand(const CLI::App*) const override;
};

/// An option's check: a file must have a name.
inline const char* has_a_name(const std::string& text) { return text.empty() ? "must name a file" : ""; }

/// An option's check: a number of at least 1, or of at least 0.
inline const char* is_positive(const std::string& text) {
  return text.find_first_not_of("0123456789") == std::string::npos &&
                 text.find_first_not_of('0') != std::string::npos
             ? ""
             : "must be a number of at least 1";
}
inline const char* is_count(const std::string& text) {
  return text.find_first_not_of("0123456789") == std::string::npos ? "" : "must be a number of at least 0";
}

/// So many seconds, or ten years where a clock could not count them.
inline std::chrono::seconds search_time(std::int64_t seconds) {
  constexpr std::int64_t kLongest = 10LL * 365 * 86400;
  return std::chrono::seconds(std::min(seconds, kLongest));
}

/// Compares the products of a nest with those that a kernel uses, one product at a time; prints the first
/// that differs and returns an exit status, 3 where no shape could be compared. Throws BadInput.
int compare_kernel(const std::string& kernel, const std::vector<proofs::NestProducts>& nest);

void add_bench(CLI::App&, int& status);
void add_check(CLI::App&, int& status);
void add_convert(CLI::App&, int& status);
void add_fuzz(CLI::App&, int& status);
void add_merge(CLI::App&, int& status);
void add_plan(CLI::App&, int& status);
void add_profile(CLI::App&, int& status);
void add_replay(CLI::App&, int& status);
void add_run(CLI::App&, int& status);
void add_targets(CLI::App&, int& status);
void add_vectors(CLI::App&, int& status);

}  // namespace wgradcheck::check
