#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <vector>

#include "optional.hpp"
#include "structure/shell.hpp"

namespace wgradcheck::tests {
namespace {

using testing::HasSubstr;

/// A command of a page, and the lines that the page shows of what it prints; "..." stands for any.
struct Shown {
  std::string command;
  std::vector<std::string> lines;
};

/// The page docs/walk.md: its commands, and the text of its first block of C.
struct Page {
  std::vector<Shown> commands;
  std::string source, text;
};

Page read_page() {
  Page page;
  std::ifstream file(WGRADCHECK_SOURCE "/docs/walk.md");
  bool in_source = false, shows = false;
  for (std::string line; std::getline(file, line);) {
    page.text += line + "\n";
    if (line.starts_with("```"))
      in_source = line == "```c";
    else if (in_source)
      page.source += line + "\n";
    else if (line.starts_with("    $ "))
      page.commands.push_back({line.substr(6), {}}), shows = true;
    else if (shows && line.starts_with("    "))
      page.commands.back().lines.push_back(line.substr(4));
    else if (!line.empty())
      shows = false;
  }
  return page;
}

/// A line without what the next change of the generator changes: counts of runs, seeds, and values drawn.
std::string lasting(const std::string& line) {
  static const std::regex value("(got|expected) -?[0-9]+"), number("[0-9][0-9,]+");
  return std::regex_replace(std::regex_replace(line, value, "$1 n"), number, "n");
}

/// The first line that is shown and not printed in its place, or nothing. After "..." and at first lines may
/// be left out.
std::string not_printed(const Shown& shown, const std::string& output) {
  std::istringstream printed(output);
  bool skips = true;
  std::string line;
  for (const std::string& expected : shown.lines) {
    if (expected == "...") {
      skips = true;
      continue;
    }
    const auto is_it = [&] { return lasting(line).starts_with(lasting(expected)); };
    do {
      do {
        if (!std::getline(printed, line)) return expected;
      } while (line.empty());
    } while (skips && !is_it());
    if (!is_it()) return expected;
    skips = false;
  }
  return {};
}

TEST(Walk, ALineThatIsNotPrintedIsSeen) {
  const std::string output = "first\n\nsecond\nthird\nlast\n";
  EXPECT_EQ(not_printed({"", {"second", "third"}}, output), "");
  EXPECT_EQ(not_printed({"", {"second", "...", "last"}}, output), "");
  EXPECT_EQ(not_printed({"", {"second", "last"}}, output), "last");
  EXPECT_EQ(not_printed({"", {"third", "...", "second"}}, output), "second");
  EXPECT_EQ(not_printed({"", {"7,955 runs of mb1kw2, got 35"}}, "7,956 runs of mb1kw2, got 8"), "");
  EXPECT_EQ(not_printed({"", {"7,955 runs of mb1kw2"}}, "7,955 runs of mb1kw3"), "7,955 runs of mb1kw2");
}

TEST(Walk, ItsCommandsPrintWhatThePageShows) {
  WGRADCHECK_LONG();
  const Page page = read_page();
  const Scratch scratch;
  scratch.write("work/my_kernel.c", page.source);
  const Ran installed = sh("cmake --install '" WGRADCHECK_BUILD "' --prefix " + scratch.word("installed"));
  ASSERT_EQ(installed.status, 0) << installed.output;
  ASSERT_GT(page.commands.size(), 5U);
  for (const Shown& shown : page.commands) {
    const Ran ran = sh("cd " + scratch.word("work") + "; export XDG_CACHE_HOME=" + scratch.word("cache") +
                       " PATH=" + scratch.word("installed/bin") + ":\"$PATH\"; " + shown.command);
    EXPECT_EQ(not_printed(shown, ran.output), "") << shown.command << "\n" << ran.output;
  }
}

TEST(Walk, ItsJobsRunTheCommandsThatItShows) {
  const Page page = read_page();
  int jobs = 0;
  for (const Shown& shown : page.commands) {
    const std::string command = shown.command.substr(0, shown.command.find("; echo"));
    if (command.find("--junit") == std::string::npos) continue;
    EXPECT_THAT(page.text, HasSubstr("\n    - " + command + "\n"));
    EXPECT_THAT(page.text, HasSubstr("\n    " + command + "\n"));
    ++jobs;
  }
  EXPECT_EQ(jobs, 2);
}

}  // namespace
}  // namespace wgradcheck::tests
