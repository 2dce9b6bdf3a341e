#pragma once
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>

namespace wgradcheck::tests {

/// Whether a program of that name is on PATH.
inline bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::filesystem::is_regular_file(std::filesystem::path(folder) / program)) return true;
  return false;
}

/// Whether this is a run in which every optional tool must be there: CI=true.
inline bool in_ci() {
  const char* ci = std::getenv("CI");
  return ci != nullptr && std::string_view(ci) == "true";
}

#ifdef __has_feature
#define WGRADCHECK_HAS_FEATURE(feature) __has_feature(feature)
#else
#define WGRADCHECK_HAS_FEATURE(feature) 0
#endif

/// Whether this program is built with AddressSanitizer or ThreadSanitizer, under which a solver's many small
/// allocations take ten to twenty times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    WGRADCHECK_HAS_FEATURE(address_sanitizer) || WGRADCHECK_HAS_FEATURE(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace wgradcheck::tests

/// First line of a test that is skipped under sanitizers.
#define WGRADCHECK_LONG()                                                     \
  do {                                                                        \
    if (wgradcheck::tests::kSanitized)                                        \
      GTEST_SKIP() << "takes long under sanitizers; the plain suite runs it"; \
  } while (false)

/// First line of a test that uses an optional program: without it the test is skipped, under CI=true it
/// fails.
#define WGRADCHECK_NEEDS(program)                                                  \
  do {                                                                             \
    if (wgradcheck::tests::on_path(program)) break;                                \
    if (wgradcheck::tests::in_ci()) FAIL() << program << " is not installed here"; \
    GTEST_SKIP() << program << " is not installed here";                           \
  } while (false)
