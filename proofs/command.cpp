#include "proofs/command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <system_error>

#include "proofs/prove.hpp"
#include "proofs/report.hpp"
#include "proofs/second_solver.hpp"

namespace wgradcheck::proofs {
namespace {

struct Command {
  Options options;
  std::string smt2, json, second_solver;
};

int bad_input(const std::string& sentence) {
  fmt::print(stderr, "wgradcheck: {}\n", sentence);
  return 2;
}

int run(const Command& command) {
  Options options = command.options;
  if (!matches_any(subjects(), options.pattern))
    return bad_input(fmt::format("PATTERN is {}, which no obligation's name contains", options.pattern));
  std::ofstream file;
  if (!command.json.empty()) {
    file.open(command.json);
    if (!file) return bad_input(fmt::format("--json is {}, which cannot be written", command.json));
  }
  options.smt2 = command.smt2;
  options.done = [](const Result& result) {
    fmt::print("{}", text(result));
    std::fflush(stdout);
  };
  options.cvc5 = !command.second_solver.empty();
  if (options.cvc5 && !has_cvc5()) return bad_input("--second-solver is cvc5, which is not installed");
  std::error_code error;
  if (!command.smt2.empty()) std::filesystem::create_directories(command.smt2, error);
  if (error)
    return bad_input(fmt::format("--smt2 is {}, which is no folder and cannot be made one", command.smt2));
  const auto results = prove(subjects(), options);
  fmt::print("\n{}", summary(results));
  file << json(results);
  return status_of(results);
}

}  // namespace

void add_prove(CLI::App& app, int& status) {
  auto command = std::make_shared<Command>();
  CLI::App* prove = app.add_subcommand("prove", "Prove the formulas and shortcuts for all shapes");
  prove->add_option("PATTERN", command->options.pattern,
                    "Obligations whose name contains this; * and ? as in file names; all by default");
  prove->add_option("--smt2", command->smt2, "Folder that gets every query as SMT-LIB text");
  prove->add_option("--json", command->json, "File that gets the verdicts as JSON");
  prove->add_option("--second-solver", command->second_solver, "Solver that is asked every query too: cvc5")
      ->check(CLI::IsMember({"cvc5"}));
  prove->add_option("--timeout", command->options.seconds, "Seconds that one subject may take")
      ->check(CLI::Range(0.01, 86400.0))
      ->capture_default_str();
  prove->callback([command, &status] { status = run(*command); });
}

}  // namespace wgradcheck::proofs
