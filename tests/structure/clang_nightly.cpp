#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>
#include <vector>

#include "optional.hpp"
#include "structure/shell.hpp"

namespace wgradcheck::tests {
namespace {

struct Source {
  std::string file, command;  ///< the command that this build compiles it with
};

std::vector<Source> sources() {
  std::ifstream file(WGRADCHECK_BUILD "/compile_commands.json");
  std::map<std::string, std::string> found;
  for (const auto& entry : nlohmann::json::parse(file))
    found.emplace(entry.at("file"), "cd '" + entry.at("directory").get<std::string>() + "' && " +
                                        entry.at("command").get<std::string>());
  std::vector<Source> all;
  for (const auto& [name, command] : found) all.push_back({name, command});
  return all;
}

/// What clang says when it reads a source, and nothing where it is content.
std::string complaint(const Source& source) {
  const std::string clang = source.file.ends_with(".c") ? "clang-16" : "clang++-16";
  std::string command =
      std::regex_replace(source.command, std::regex("&& (\\S*ccache )?\\S+"), "&& " + clang);
  command = std::regex_replace(command, std::regex(" -o \\S+"), " -fsyntax-only");
  const Ran ran = sh(std::regex_replace(command, std::regex(" -Wno-restrict"), ""));
  return ran.status == 0 ? ran.output : "refused: " + ran.output;
}

bool wants_openmp(const Source& source) { return source.command.find(" -fopenmp") != std::string::npos; }

void expect_no_complaint(const std::vector<Source>& all) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < all.size();) {
      const std::string text = complaint(all[i]);
      const std::lock_guard lock(mutex);
      EXPECT_EQ(text, "") << all[i].file;
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < std::thread::hardware_concurrency(); ++t) threads.emplace_back(work);
}

TEST(Clang, ReadsEachSourceWithoutAWarning) {
  WGRADCHECK_NEEDS("clang++-16");
  std::vector<Source> all = sources();
  std::erase_if(all, wants_openmp);
  ASSERT_GT(all.size(), 100U);
  expect_no_complaint(all);
}

TEST(Clang, ReadsEachSourceThatUsesOpenMpWithoutAWarning) {
  WGRADCHECK_NEEDS("clang++-16");
  std::vector<Source> all = sources();
  std::erase_if(all, std::not_fn(wants_openmp));
  if (sh("echo '#include <omp.h>' | clang++-16 -fopenmp -fsyntax-only -x c++ -").status != 0)
    GTEST_SKIP() << "clang has no omp.h here, which " << all.size() << " sources want";
  expect_no_complaint(all);
}

TEST(Clang, ComplainsOfWhatItDoesNotTake) {
  WGRADCHECK_NEEDS("clang++-16");
  const Scratch scratch;
  scratch.write("one.cpp", "template <class T>\nstruct Pair { T a, b; };\nauto pair = Pair{1, 2};\n");
  const auto with = [&](const std::string& options) {
    return complaint(
        {"one.cpp", "cd / && ccache /usr/bin/c++ " + options + " -o one.o -c " + scratch.word("one.cpp")});
  };
  EXPECT_NE(with("-std=c++20").find("refused"), std::string::npos);
  scratch.write("one.cpp", "static int unused;\n");
  EXPECT_EQ(with("-std=c++20"), "");
  EXPECT_NE(with("-std=c++20 -Wall").find("unused"), std::string::npos);
}

}  // namespace
}  // namespace wgradcheck::tests
