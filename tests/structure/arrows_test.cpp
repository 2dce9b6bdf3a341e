#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace wgradcheck::tests {
namespace {

/// Folders whose headers each folder may include: spec <- impl <- targets <- check; proofs reads spec and
/// impl.
const std::map<std::string, std::set<std::string>> kMayInclude{
    {"spec", {"spec"}},
    {"impl", {"impl", "spec"}},
    {"targets", {"targets", "impl", "spec"}},
    {"proofs", {"proofs", "impl", "spec"}},
    {"check", {"check", "targets", "impl", "spec", "proofs"}},
    {"fuzz", {"fuzz", "check", "targets", "impl", "spec"}},
};

/// Why a line of a file in `folder` points the wrong way, or nothing.
std::string breach(const std::string& folder, const std::string& line) {
  const std::string include = "#include \"";
  if (!line.starts_with(include)) return {};
  const std::string header = line.substr(include.size(), line.find('"', include.size()) - include.size());
  const std::string from = header.substr(0, header.find('/'));
  if (kMayInclude.contains(from) && !kMayInclude.at(folder).contains(from))
    return folder + " includes " + header;
  if ((folder == "impl" || folder == "targets") && header == "spec/wgrad.hpp")
    return "a kernel includes its judge, " + header;
  return {};
}

/// The C and C++ files under a folder of the source tree; none where there is no such folder yet.
std::vector<std::filesystem::path> sources(const std::string& folder) {
  std::vector<std::filesystem::path> found;
  const auto root = std::filesystem::path(WGRADCHECK_SOURCE) / folder;
  if (!std::filesystem::exists(root)) return found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (std::set<std::string>{".hpp", ".cpp", ".h", ".c"}.contains(entry.path().extension()))
      found.push_back(entry.path());
  return found;
}

TEST(Arrows, AWrongIncludeIsSeen) {
  EXPECT_EQ(breach("spec", "#include \"impl/ranges.hpp\""), "spec includes impl/ranges.hpp");
  EXPECT_EQ(breach("targets", "#include \"check/case.hpp\""), "targets includes check/case.hpp");
  EXPECT_EQ(breach("impl", "#include \"spec/wgrad.hpp\""), "a kernel includes its judge, spec/wgrad.hpp");
  EXPECT_EQ(breach("targets", "#include \"spec/wgrad.hpp\""), "a kernel includes its judge, spec/wgrad.hpp");
  EXPECT_EQ(breach("check", "#include \"spec/wgrad.hpp\""), "");
  EXPECT_EQ(breach("targets", "#include \"conv_grad_filter.h\""), "");
}

TEST(Arrows, EveryIncludePointsDown) {
  int lines = 0;
  for (const auto& [folder, _] : kMayInclude)
    for (const auto& path : sources(folder)) {
      std::ifstream file(path);
      for (std::string line; std::getline(file, line); ++lines) EXPECT_EQ(breach(folder, line), "") << path;
    }
  EXPECT_GT(lines, 100);
}

TEST(Arrows, EverySourceIsAscii) {
  for (const char* folder : {"spec", "impl", "targets", "proofs", "check", "tests", "fuzz"})
    for (const auto& path : sources(folder)) {
      std::ifstream file(path);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      EXPECT_TRUE(std::ranges::all_of(text, [](unsigned char c) { return c < 128; })) << path;
    }
}

}  // namespace
}  // namespace wgradcheck::tests
