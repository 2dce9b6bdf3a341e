#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <iostream>

#include "check/kernel.hpp"
#include "check/program/commands.hpp"
#include "check/report/words.hpp"
#include "proofs/command.hpp"

namespace {

constexpr const char* kExplanation =
    "Tells the author of a convolution weight-gradient kernel whether the kernel\n"
    "is right and, if not, what it computes instead.\n\n"
    "Exit status: 0 no counterexample, or all proved; 1 a counterexample, or an\n"
    "unexpected verdict of a proof; 2 bad usage or input; 3 no verdict.";

/// Help of at most 80 columns.
class Help : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    return wgradcheck::check::wrapped(CLI::Formatter::make_option_desc(option), 79 - column_width_, 0);
  }
};

int run(int argc, char** argv) {
  CLI::App app(kExplanation, "wgradcheck");
  app.set_version_flag("--version", WGRADCHECK_VERSION);
  app.require_subcommand(1);
  app.formatter(std::make_shared<Help>());
  int status = 0;
  wgradcheck::check::add_check(app, status);
  wgradcheck::proofs::add_prove(app, status);
  wgradcheck::check::add_plan(app, status);
  wgradcheck::check::add_replay(app, status);
  wgradcheck::check::add_run(app, status);
  wgradcheck::check::add_targets(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
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
  } catch (const wgradcheck::check::BadInput& bad) {
    fmt::print(stderr, "wgradcheck: {}\n", bad.sentence);
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "wgradcheck: {}\n", e.what());
    return 3;
  }
}
