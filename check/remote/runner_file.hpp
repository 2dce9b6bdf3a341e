#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace wgradcheck::check {

/// Where a device has a buffer, as it is told to the runner.
struct Region {
  std::string base{};      ///< an address in the device's own words; may be empty
  std::int64_t bytes = 0;  ///< that the buffer may have
};

/// What a runner can do, as a small JSON file declares it.
struct RunnerFile {
  double launch_seconds = 0;                   ///< that a launch takes besides the kernel
  std::optional<std::int64_t> launches{};      ///< that may be made in all
  std::int64_t cases_per_launch = 16;          ///< folders that a command with {cases} takes at most
  bool repeats = true;                         ///< whether a call may be made a second time
  std::optional<std::int64_t> memory_bytes{};  ///< for a case's tensors and workspace together
  std::map<std::string, Region> memory_map{};  ///< by buffer: x, dy, dw, bias, workspace
};

/// Reads such a file. Throws BadInput that names the field: unknown, or its value out of range.
RunnerFile read_runner_file(const std::string& path);

/// The same of the text of such a file.
RunnerFile to_runner_file(const std::string& name, const std::string& text);

}  // namespace wgradcheck::check
