#include "check/report/kept.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "check/kernel.hpp"
#include "check/report/files.hpp"
#include "check/report/hash.hpp"

namespace wgradcheck::check {
namespace {

namespace fs = std::filesystem;

constexpr Property kLast = Property::hang;

}  // namespace

Kept::Kept(std::string folder, const Saved& who) : folder_(std::move(folder)) {
  Hash hash;
  for (const std::string& name : who.kernel) hash.add(name);
  for (const std::string& part : {who.abi, who.symbol, who.compiler, who.flags}) hash.add(part);
  if (!who.runner.empty())
    for (const std::string& part : {who.runner, who.folder}) hash.add(part);
  key_ = hash.text();
}

std::string Kept::path_of(Property p) const {
  return fmt::format("{}/{}-{}.json", folder_, key_, name_of(p));
}

std::vector<Trial> Kept::trials() const {
  std::vector<Trial> trials;
  if (folder_.empty()) return trials;
  for (int p = 0; p <= static_cast<int>(kLast); ++p) {
    const std::string path = path_of(static_cast<Property>(p));
    std::error_code none;
    if (!fs::is_regular_file(path, none)) continue;
    try {
      trials.push_back(load_saved(path).trial);
    } catch (const BadInput&) {
      // Of another version, or cut short: the search finds it again.
    }
  }
  return trials;
}

void Kept::replace(std::span<const Saved> found) const {
  if (folder_.empty()) return;
  std::error_code error;
  for (int p = 0; p <= static_cast<int>(kLast); ++p) fs::remove(path_of(static_cast<Property>(p)), error);
  if (found.empty()) return;
  fs::create_directories(folder_, error);
  for (const Saved& s : found) try {
      write_file(path_of(s.property), to_text(s));
    } catch (const BadInput&) {
      return;
    }
}

std::string usual_kept_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value ? value : "");
  };
  const std::string cache = variable("XDG_CACHE_HOME"), home = variable("HOME");
  if (!cache.empty()) return cache + "/wgradcheck/counterexamples";
  return home.empty() ? "" : home + "/.cache/wgradcheck/counterexamples";
}

}  // namespace wgradcheck::check
