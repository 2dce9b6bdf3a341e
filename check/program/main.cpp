#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "check/kernel.hpp"
#include "check/program/commands.hpp"
#include "check/report/markup.hpp"
#include "proofs/command.hpp"

namespace {

using wgradcheck::check::BadInput;

constexpr const char* kExplanation =
    "Tells the author of a convolution weight-gradient kernel whether the kernel\n"
    "is right and, if not, what it computes instead.\n\n"
    "Exit status: 0 no counterexample, or all proved; 1 a counterexample, or an\n"
    "unexpected verdict of a proof; 2 bad usage or input; 3 no verdict.";

/// What a terminal can take of a sentence that quotes input: no bytes that are no text, no control
/// characters, and not without end.
std::string one_line(std::string_view sentence) {
  constexpr std::size_t kMost = 800;
  std::string out;
  while (!sentence.empty() && out.size() < kMost) {
    const auto byte = static_cast<unsigned char>(sentence.front());
    const std::size_t length = byte < 0x20 || byte == 0x7f ? 0 : wgradcheck::check::character(sentence);
    out += length ? std::string(sentence.substr(0, length)) : fmt::format("\\x{:02x}", byte);
    sentence.remove_prefix(length ? length : 1);
  }
  return sentence.empty() ? out : out + "...";
}

/// CLI11 takes a word that is no command for an argument of none.
void require_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::ranges::find(names, argv[1]) == names.end())
    throw BadInput{fmt::format("{} is not a command; commands are {}", argv[1], fmt::join(names, ", "))};
}

int run(int argc, char** argv) {
  CLI::App app(kExplanation, "wgradcheck");
  app.set_version_flag("--version", WGRADCHECK_VERSION);
  app.require_subcommand(1);
  app.formatter(std::make_shared<wgradcheck::check::HelpFormatter>());
  int status = 0;
  wgradcheck::check::add_bench(app, status);
  wgradcheck::check::add_check(app, status);
  wgradcheck::check::add_convert(app, status);
  wgradcheck::check::add_fuzz(app, status);
  wgradcheck::check::add_merge(app, status);
  wgradcheck::proofs::add_prove(app, status, wgradcheck::check::compare_kernel);
  wgradcheck::check::add_plan(app, status);
  wgradcheck::check::add_profile(app, status);
  wgradcheck::check::add_replay(app, status);
  wgradcheck::check::add_run(app, status);
  wgradcheck::check::add_targets(app, status);
  wgradcheck::check::add_vectors(app, status);
  try {
    require_command(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    app.exit(e);
  } catch (const CLI::ParseError& e) {
    throw BadInput{e.what()};
  }
  // A verdict that nobody could read is none.
  std::cout.flush();
  if (std::fflush(stdout) != 0 || !std::cout || std::ferror(stdout)) {
    fmt::print(stderr, "wgradcheck: cannot write to standard output\n");
    return 3;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const BadInput& bad) {
    fmt::print(stderr, "wgradcheck: {}\n", one_line(bad.sentence));
    return 2;
  } catch (const std::filesystem::filesystem_error& e) {
    fmt::print(stderr, "wgradcheck: {}: {}\n", one_line(e.path1().string()), e.code().message());
    return 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "wgradcheck: out of memory\n");
    return 3;
  } catch (const std::exception& e) {
    fmt::print(stderr, "wgradcheck: {}\n", one_line(e.what()));
    return 3;
  }
}
