#include "check/remote/runner_file.hpp"

#include <array>

#include "check/report/fields.hpp"
#include "check/report/files.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::array<const char*, 6> kKnown{"launch_seconds", "launches",     "cases_per_launch",
                                            "repeats",        "memory_bytes", "memory_map"};
constexpr std::array<const char*, 5> kBuffersKnown{"x", "dy", "dw", "bias", "workspace"};
constexpr std::array<const char*, 2> kRegionKnown{"base", "bytes"};
constexpr std::int64_t kMost = std::int64_t{1} << 46;

std::map<std::string, Region> memory_map(const Fields& map) {
  map.only(kBuffersKnown);
  std::map<std::string, Region> regions;
  for (const char* const buffer : kBuffersKnown) {
    if (!map.has(buffer)) continue;
    const Fields region = map.inside(buffer);
    region.only(kRegionKnown);
    regions[buffer] = {region.has("base") ? region.get<std::string>("base") : "",
                       region.number("bytes", 0, kMost)};
  }
  return regions;
}

}  // namespace

RunnerFile read_runner_file(const std::string& path) {
  return to_runner_file(path, read_file(path, kMostJson));
}

RunnerFile to_runner_file(const std::string& name, const std::string& text) {
  const Fields fields = Fields::parse(name, text, "a runner's file");
  fields.only(kKnown);
  RunnerFile can;
  if (fields.has("launch_seconds")) {
    can.launch_seconds = fields.get<double>("launch_seconds");
    if (!(can.launch_seconds >= 0 && can.launch_seconds <= 86400))
      fields.bad("launch_seconds", "must be from 0 to 86400");
  }
  if (fields.has("launches")) can.launches = fields.number("launches", 1, kMost);
  if (fields.has("cases_per_launch")) can.cases_per_launch = fields.number("cases_per_launch", 1, 1024);
  if (fields.has("repeats")) can.repeats = fields.get<bool>("repeats");
  if (fields.has("memory_bytes")) can.memory_bytes = fields.number("memory_bytes", 1, kMost);
  if (fields.has("memory_map")) can.memory_map = memory_map(fields.inside("memory_map"));
  return can;
}

}  // namespace wgradcheck::check
