#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace wgradcheck::tests {
namespace {

/// Lines that a file may have; a header that others build on is shorter than a test's helper.
int longest_of(const std::filesystem::path& path) {
  const bool header = path.extension() == ".hpp" || path.extension() == ".h";
  return header && *path.begin() != "tests" ? 120 : 300;
}

/// Why the text of a file, named from the root of the tree, is out of style; empty when it is not.
std::vector<std::string> faults(const std::filesystem::path& path, const std::string& text) {
  std::vector<std::string> found;
  const auto lines = std::count(text.begin(), text.end(), '\n');
  const int longest = longest_of(path);
  if (lines > longest)
    found.push_back("has " + std::to_string(lines) + " lines, over " + std::to_string(longest));
  // A rule of one repeated sign inside a comment.
  static const std::regex banner(R"((//|/\*|^ \*)\s*[-=*#~/_]{5,})");
  if (std::regex_search(text, banner)) found.push_back("has a banner comment");
  if (text.find('\t') != std::string::npos) found.push_back("has a tab");
  if (!text.empty() && text.back() != '\n') found.push_back("does not end its last line");
  return found;
}

/// Why a file of spec/ depends on more than the standard library, or nothing.
bool is_standard_or_spec(const std::string& line) {
  if (!line.starts_with("#include")) return true;
  // Headers of the C++ standard library have no extension and no folder.
  static const std::regex allowed(R"(#include (<[a-z_0-9]+>|"spec/[a-z_0-9]+\.hpp").*)");
  return std::regex_match(line, allowed);
}

/// What a schedule says that could carry something from one iteration to the next, or tell one reading from
/// another; empty when nothing does.
std::string breach_of_fences(const std::string& commented) {
  static const std::regex comment("//[^\n]*"), capture(R"(\[[^\]]*[&=][^\]]*\])"),
      word(R"(\b(mutable|static|thread_local|extern|new|const_cast|constexpr|requires|typeid|decltype)\b)"
           R"(|\bis_\w+_v\b|\b(if|for|while|switch)\s*\()");
  const std::string text = std::regex_replace(commented, comment, "");
  for (std::sregex_iterator at(text.begin(), text.end(), capture), end; at != end; ++at)
    if (at->str() != "[=]" && at->str() != "[=, &env]") return at->str();
  std::smatch found;
  return std::regex_search(text, found, word) ? found.str() : "";
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The C and C++ files under a folder of the source tree; none where there is no such folder.
std::vector<std::filesystem::path> sources(const std::string& folder) {
  std::vector<std::filesystem::path> found;
  const auto root = std::filesystem::path(WGRADCHECK_SOURCE) / folder;
  if (!std::filesystem::exists(root)) return found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (std::set<std::string>{".hpp", ".cpp", ".h", ".c"}.contains(entry.path().extension()))
      found.push_back(entry.path());
  return found;
}

TEST(Style, EachFaultIsSeen) {
  const std::string short_file(120, '\n'), long_header(121, '\n'), long_file(301, '\n');
  EXPECT_EQ(faults("spec/a.hpp", short_file).size(), 0U);
  EXPECT_EQ(faults("spec/a.hpp", long_header).size(), 1U);
  EXPECT_EQ(faults("tests/spec/a.hpp", long_header).size(), 0U);
  EXPECT_EQ(faults("spec/a.cpp", long_header).size(), 0U);
  EXPECT_EQ(faults("spec/a.cpp", long_file).size(), 1U);
  for (const char sign : {'-', '=', '*', '#', '~', '/'}) {
    const std::string rule(8, sign);
    EXPECT_EQ(faults("a.cpp", "// " + rule + "\n").size(), 1U) << sign;
    EXPECT_EQ(faults("a.cpp", "//" + rule + "\n").size(), 1U) << sign;
    EXPECT_EQ(faults("a.c", "/* " + rule + " */\n").size(), 1U) << sign;
  }
  EXPECT_EQ(faults("a.cpp", "/// a -- b\nint x = 1 / 2;  // a/b/c\n").size(), 0U);
  EXPECT_EQ(faults("a.cpp", std::string("\tint x;\n")).size(), 1U);
  EXPECT_EQ(faults("a.cpp", "int x;").size(), 1U);
  EXPECT_FALSE(is_standard_or_spec("#include <fmt/core.h>"));
  EXPECT_FALSE(is_standard_or_spec("#include <unistd.h>"));
  EXPECT_FALSE(is_standard_or_spec("#include \"check/case.hpp\""));
  EXPECT_TRUE(is_standard_or_spec("#include <vector>"));
}

TEST(Style, EveryFileKeepsToIt) {
  int files = 0;
  for (const char* folder : {"spec", "impl", "targets", "proofs", "check", "tests", "fuzz"})
    for (const auto& path : sources(folder)) {
      for (const std::string& fault :
           faults(std::filesystem::relative(path, WGRADCHECK_SOURCE), text_of(path)))
        ADD_FAILURE() << path << " " << fault;
      ++files;
    }
  EXPECT_GT(files, 50);
}

TEST(Style, TheSpecificationStandsOnTheStandardLibraryAlone) {
  int files = 0;
  for (const auto& path : sources("spec")) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);)
      EXPECT_TRUE(is_standard_or_spec(line)) << path << ": " << line;
    ++files;
  }
  EXPECT_GT(files, 8);
}

TEST(Style, SchedulesKeepInsideTheirFences) {
  for (const char* breach : {"env.loop(r, [&](Int i) {", "[=, &env, &first](Int i)", "[i = 0]() mutable {",
                             "static int calls;", "if constexpr (kRun) {", "std::is_same_v<Int, Sym>",
                             "if (i == 0) {", "for (int i = 0;;)", "while (true)", "thread_local int t;"})
    EXPECT_NE(breach_of_fences(breach), "") << breach;
  EXPECT_EQ(breach_of_fences("env.loop(r, [=, &env](const Int& i) { env.clear(i); });  // if it can"), "");
  EXPECT_EQ(breach_of_fences("template <class Int> void f(const Range<Int>& m, const Visit& visit)"), "");
  int files = 0;
  for (const auto& path : sources("impl/schedule")) {
    EXPECT_EQ(breach_of_fences(text_of(path)), "") << path;
    ++files;
  }
  EXPECT_GT(files, 3);
}

TEST(Style, OnlyTheirFolderAndTheCommandLineIncludeProofs) {
  for (const char* folder : {"check", "targets", "impl", "spec"})
    for (const auto& path : sources(folder)) {
      if (path.parent_path().filename() == "program") continue;
      EXPECT_EQ(text_of(path).find("#include \"proofs/"), std::string::npos) << path;
    }
}

}  // namespace
}  // namespace wgradcheck::tests
