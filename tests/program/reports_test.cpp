#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "tests/check/kernels.hpp"
#include "tests/program/program.hpp"
#include "tests/structure/shell.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;
using tests::sh;

/// What stands between two texts, the last such place.
std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t at = text.rfind(before) + before.size();
  return text.substr(at, text.find(after, at) - at);
}

std::string unescaped(std::string text) {
  for (const auto& [from, to] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
    for (std::size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, std::strlen(from), to);
  return text;
}

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  text = text.substr(text.rfind('\n') + 1);
  return text.substr(text.find_first_not_of(' '));
}

/// A folder in which `./wgradcheck` is the built program, as replay commands call it.
struct Folder {
  check::Scratch scratch;
  Folder() { std::filesystem::create_symlink(WGRADCHECK_BUILD "/wgradcheck", file("wgradcheck")); }
  std::string file(const std::string& name) const { return scratch.path() + "/" + name; }
  tests::Ran run(const std::string& command) const {
    return sh("export XDG_CACHE_HOME=/dev/null\ncd " + scratch.path() + "\n" + command);
  }
};

struct Search {
  const char* name;
  std::string words;  ///< after `check KERNELS/`
  int status;
};

class Replay : public testing::TestWithParam<Search> {};

TEST_P(Replay, IsTheSameInEveryReportAndGivesTheSameVerdict) {
  const Folder folder;
  const auto ran = folder.run("./wgradcheck check " + kernel("") + GetParam().words +
                              " --json v.json --junit v.xml --html v.html");
  EXPECT_EQ(ran.status, GetParam().status) << ran.output;
  const std::string command = last_line(ran.output);
  const auto json = json_of(folder.file("v.json"));
  const std::string xml = text_of(folder.file("v.xml"));
  EXPECT_EQ(json["replay"], command);
  EXPECT_EQ(last_line(unescaped(between(xml, "<system-out>", "</system-out>"))), command);
  EXPECT_EQ(unescaped(between(text_of(folder.file("v.html")), "<pre class=\"replay\">", "</pre>")), command);
  const auto again = folder.run(command + " --json w.json");
  EXPECT_EQ(again.status, ran.status) << command << "\n" << again.output;
  const auto repeated = json_of(folder.file("w.json"));
  ASSERT_EQ(repeated["verdict"], json["verdict"]);
  if (GetParam().status != 1) return;
  const auto& last = json["counterexamples"].back();
  // Run again, a case goes to the sanitizers as well, which may add a property.
  const auto second = std::ranges::find(repeated["counterexamples"], last["property"],
                                        [](const auto& found) { return found["property"]; });
  ASSERT_NE(second, repeated["counterexamples"].end()) << again.output;
  for (const char* field : {"property", "shape", "element", "got", "expected", "detail", "replay"})
    EXPECT_EQ((*second)[field], last[field]) << field;
  for (const auto& found : json["counterexamples"]) {
    const std::string replay = found["replay"];
    EXPECT_THAT(ran.output, HasSubstr("\n  " + replay + "\n"));
    EXPECT_THAT(unescaped(xml), HasSubstr("replay:\n" + replay + "\n</failure>"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, Replay,
    testing::Values(
        Search{"Pass", "slips.c --cases 50 --where 'ic<8 && oc>1'", 0},
        Search{"None", "slips.c --cases 0", 3},
        Search{"Formula", "slips.c --cases 300 --cflags -DSLIP_LAST_ROW", 1},
        Search{"Half", "slips.c --cases 300 --cflags '-DSLIP_DOUBLED -DHALF'", 1},
        Search{"Write", "slips.c --cases 200 --cflags -DSLIP_STRAY_WRITE", 1},
        Search{"Read", "slips.c --cases 200 --cflags -DSLIP_STRAY_READ", 1},
        Search{"Input", "slips.c --cases 200 --cflags -DSLIP_INPUT", 1},
        Search{"Rounding", "slips.c --cases 200 --cflags -DSLIP_ROUNDED --promise acc=f32", 1},
        Search{"NonFinite", "slips.c --cases 200 --cflags -DSLIP_ZERO_SKIP", 1},
        Search{"Crash", "slips.c --cases 200 --cflags -DSLIP_CRASH", 1},
        Search{"Hang", "slips.c --cases 200 --cflags -DSLIP_HANG --timeout 0.5", 1},
        Search{"Shared", "shared.c --cases 500 --promise bias=column --cflags -DSLIP_NOT_ZEROED", 1},
        Search{"BiasPerCore", "shared.c --cases 500 --promise bias=column --cflags -DSLIP_BIAS_PER_CORE", 1},
        Search{"Refusal", "slips.c --cases 200 --promise refuses=yes", 1},
        Search{"Workspace", "shared.c --cflags -DSLIP_NONE --workspace 64 --cores 1 --cases 100", 1},
        Search{"GivenShape", "slips.c --cflags -DSLIP_DOUBLED --shape mb1ic1ih40iw40oc1oh40ow40kh1kw1 --mb 2",
               1}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(ReplayCommand, RunsACaseOfSeveralCoresOftenSinceItMayComeAndGo) {
  const Folder folder;
  const std::string words = "./wgradcheck check " + kernel("shared.c") +
                            " --cflags -DSLIP_NONE --shape mb2ic1ih2oc1oh2kh1 --placement end --json v.json ";
  folder.run(words + "--core-mask 3");
  EXPECT_EQ(json_of(folder.file("v.json"))["cases"]["run"], 100);
  folder.run(words + "--core-mask 1");
  EXPECT_EQ(json_of(folder.file("v.json"))["cases"]["run"], 4);
}

TEST(ReplayCommand, ReadsFileNamesWithOddCharactersBack) {
  const Folder folder;
  const std::string odd = "a 'b' \"$c\" \\ % \x1b \xff\n.c";
  std::filesystem::copy_file(kernel("dilation_h_left_out.c"), folder.file(odd));
  std::filesystem::rename(folder.file(odd), folder.file("k" + odd));
  std::filesystem::create_symlink("k" + odd, folder.file("link.c"));
  const auto ran =
      folder.run("for f in k*; do ./wgradcheck check \"./$f\" --cases 300 --json v.json --junit v.xml; done");
  EXPECT_EQ(ran.status, 1) << ran.output;
  const std::string command = json_of(folder.file("v.json"))["replay"];
  EXPECT_EQ(last_line(ran.output), command);
  const auto again = folder.run(command);
  EXPECT_EQ(again.status, 1) << command << "\n" << again.output;
  EXPECT_THAT(again.output, HasSubstr("formula"));
}

struct Program {
  const char* name;
  std::string file, wrong, right, words;  ///< the kernel, flags of the wrong and of the right one
  std::string shows;                      ///< part of what the program prints; empty: the wrong element
};

class CProgram : public testing::TestWithParam<Program> {};

TEST_P(CProgram, EndsWithOneForTheWrongKernelAndWithZeroForTheRight) {
  const Program& p = GetParam();
  const Folder folder;
  const auto ran = folder.run("./wgradcheck check " + kernel(p.file) + " --cflags '" + p.wrong + "' " +
                              p.words + " --json v.json --c repro.c");
  ASSERT_EQ(ran.status, 1) << ran.output;
  const auto found = json_of(folder.file("v.json"))["counterexamples"][0];
  const std::string standard = found["cores"] == 1 ? "-std=c99 -pedantic" : "-pedantic";
  const auto built = folder.run("cc " + standard + " -Wall -Wextra -Werror -c repro.c");
  const std::string source = text_of(folder.file("repro.c"));
  ASSERT_EQ(built.status, 0) << built.output << source;
  std::istringstream comment(source.substr(0, source.find("*/")));
  for (std::string line; std::getline(comment, line);) EXPECT_LE(line.size(), 80U) << line;
  const auto run_with = [&](const std::string& flags) {
    return folder.run("cc -I " WGRADCHECK_SOURCE "/targets/include -include " WGRADCHECK_SOURCE
                      "/targets/include/conv_grad_filter.h " +
                      flags + " " + kernel(p.file) + " repro.o -o repro && ./repro");
  };
  const auto wrong = run_with(p.wrong);
  EXPECT_EQ(wrong.status, 1) << wrong.output;
  std::string shows = p.shows;
  if (shows.empty()) {
    const std::string text = between(ran.output, "element  ", "\n");
    EXPECT_THAT(text, HasSubstr("expected"));
    shows = text;
  }
  EXPECT_THAT(wrong.output, HasSubstr(shows));
  EXPECT_EQ(last_line(wrong.output), found["replay"].get<std::string>());
  const auto right = run_with(p.right);
  EXPECT_EQ(right.status, 0) << right.output;
  // Together with the documented header and by force, too.
  const auto forced = folder.run("cc -include " WGRADCHECK_SOURCE "/targets/include/conv_grad_filter.h " +
                                 standard + " -Wall -Wextra -Werror -c repro.c");
  EXPECT_TRUE(found["cores"] != 1 || forced.status == 0) << forced.output;
}

INSTANTIATE_TEST_SUITE_P(
    Each, CProgram,
    testing::Values(Program{"Formula", "slips.c", "-DSLIP_LAST_ROW", "", "--cases 300", ""},
                    Program{"Half", "slips.c", "-DSLIP_DOUBLED -DHALF", "-DHALF", "--cases 300", ""},
                    Program{"Generated", "slips.c", "-DSLIP_DOUBLED", "",
                            "--shape mb1ic3ih40iw40oc3oh40ow40kh3kw3ph1pw1 --skip memory", ""},
                    Program{"Rounding", "slips.c", "-DSLIP_ROUNDED", "", "--cases 200 --promise acc=f32", ""},
                    Program{"NonFinite", "slips.c", "-DSLIP_ZERO_SKIP", "", "--cases 200", ""},
                    Program{"Subnormal", "flushes_subnormals.c", "", "-DFLUSHES=0",
                            "--cases 300 --promise subnormals=keep", ""},
                    Program{"Write", "slips.c", "-DSLIP_STRAY_WRITE", "", "--cases 200",
                            "wrote past the end of dw"},
                    Program{"Input", "slips.c", "-DSLIP_INPUT", "", "--cases 200", "changed its input x[0]"},
                    Program{"Host", "host.c", "-DSLIP_DILATION_D", "", "--cases 800", ""},
                    Program{"HostGenerated", "host.c", "-DSLIP_DILATION_D -DBF16", "-DBF16",
                            "--abi host_bf16 --shape mb1ic3id4ih20iw40oc3od2oh20ow40kd2kh3kw3dd1ph1pw1", ""},
                    Program{"HostWorkspace", "host.c", "-DSLIP", "", "--cases 800",
                            "wrote past the end of workspace: at byte 64 of 64"},
                    Program{"Shared", "shared.c", "-DSLIP_BIAS_PER_CORE", "-DSLIP_NONE",
                            "--cases 500 --promise bias=column", ""}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(CProgram, AStrayReadShowsUnderAddressSanitizer) {
  const Folder folder;
  const auto ran = folder.run("./wgradcheck check " + kernel("slips.c") +
                              " --cases 200 --cflags -DSLIP_STRAY_READ --c repro.c");
  ASSERT_EQ(ran.status, 1) << ran.output;
  const auto run_with = [&](const std::string& flags) {
    return folder.run(
        "cc -fsanitize=address -include " WGRADCHECK_SOURCE "/targets/include/conv_grad_filter.h " + flags +
        " " + kernel("slips.c") + " repro.c -o repro && ASAN_OPTIONS=detect_leaks=0 ./repro");
  };
  const auto wrong = run_with("-DSLIP_STRAY_READ");
  EXPECT_NE(wrong.status, 0);
  EXPECT_THAT(wrong.output, HasSubstr("heap-buffer-overflow"));
  EXPECT_EQ(run_with("").status, 0);
}

TEST(CProgram, IsNotWrittenWithoutACounterexample) {
  const Folder folder;
  const auto ran = folder.run("./wgradcheck check " + kernel("slips.c") + " --cases 20 --c repro.c");
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.output, HasSubstr("--c repro.c: there is no counterexample to write"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("repro.c")));
}

TEST(Text, StaysOneScreenOf80ColumnsButForTheReplay) {
  const Folder folder;
  const std::string text =
      folder.run("./wgradcheck check " + kernel("slips.c") + " --cases 300 --cflags -DSLIP_DOUBLED").output;
  std::istringstream lines(text.substr(0, text.find("  replay:")));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_TRUE(line.size() <= 80 || line.find(kernel("")) != std::string::npos) << line;
  EXPECT_LE(count, 40) << text;
}

TEST(Text, HelpStaysWithin80Columns) {
  std::istringstream lines(run_program("check --help").text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace wgradcheck
