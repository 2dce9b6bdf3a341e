#include "check/report/kept.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "check/kernel.hpp"
#include "check/report/files.hpp"

namespace wgradcheck::check {
namespace {

namespace fs = std::filesystem;

constexpr Property kLast = Property::hang;

/// 64-bit FNV-1a, parts told apart by their ends.
std::uint64_t hash_of(std::span<const std::string> parts) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3; };
  for (const std::string& part : parts) {
    for (const char c : part) add(static_cast<unsigned char>(c));
    add(0);
  }
  return hash;
}

}  // namespace

Kept::Kept(std::string folder, const Saved& who) : folder_(std::move(folder)) {
  std::vector<std::string> parts = who.kernel;
  parts.insert(parts.end(), {who.abi, who.symbol, who.compiler, who.flags});
  key_ = fmt::format("{:016x}", hash_of(parts));
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
