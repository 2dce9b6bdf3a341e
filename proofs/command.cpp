#include "proofs/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <system_error>

#include "proofs/prove.hpp"
#include "proofs/report.hpp"
#include "proofs/schedule/program.hpp"
#include "proofs/schedule_program.hpp"
#include "proofs/second_solver.hpp"

namespace wgradcheck::proofs {
namespace {

struct Command {
  Options options;
  std::string smt2, json, second_solver, only, kernel;
  bool list = false, explain = false;
};

int bad_input(const std::string& sentence) {
  fmt::print(stderr, "wgradcheck: {}\n", sentence);
  return 2;
}

/// Where the names are that a pattern may select; those of a user's nest are no part of `prove --list`.
std::string names_of(const std::vector<Subject>& all) {
  if (all.size() > 1) return "`prove --list` prints the names";
  std::vector<std::string> names;
  for (const Obligation& o : all.front().obligations) names.push_back(all.front().name + "." + o.name);
  return fmt::format("the names are {}", fmt::join(names, ", "));
}

int run(const Command& command, const std::vector<Subject>& all) {
  Options options = command.options;
  if (!matches_any(all, options.pattern))
    return bad_input(fmt::format("PATTERN is {}, which no obligation's name contains; {}", options.pattern,
                                 names_of(all)));
  std::ofstream file;
  if (!command.json.empty()) {
    file.open(command.json);
    if (!file) return bad_input(fmt::format("--json is {}, which cannot be written", command.json));
  }
  options.smt2 = command.smt2;
  options.done = [explain = command.explain](const Result& result) {
    fmt::print("{}{}", text(result), explain ? rests(result) : "");
    std::fflush(stdout);
  };
  options.cvc5 = !command.second_solver.empty();
  if (options.cvc5 && !has_cvc5()) return bad_input("--second-solver is cvc5, which is not installed");
  std::error_code error;
  if (!command.smt2.empty()) std::filesystem::create_directories(command.smt2, error);
  if (error)
    return bad_input(fmt::format("--smt2 is {}, which is no folder and cannot be made one", command.smt2));
  const auto results = prove(all, options);
  if (const std::string others = command.explain ? survivors(results) : ""; !others.empty())
    fmt::print("\n{}", others);
  fmt::print("\n{}", summary(results));
  file << json(results);
  return status_of(results);
}

void add_options(CLI::App& app, Command& command) {
  app.add_option("--smt2", command.smt2, "Folder that gets every query as SMT-LIB text");
  app.add_option("--json", command.json, "File that gets the verdicts as JSON");
  app.add_option("--second-solver", command.second_solver, "Solver that is asked every query too: cvc5")
      ->check(CLI::IsMember({"cvc5"}));
  app.add_flag("--explain", command.explain,
               "Print what each proof rests on, and the altered "
               "formulas that were not refuted");
  app.add_option("--timeout", command.options.seconds, "Seconds that one subject may take")
      ->check(CLI::Range(0.01, 86400.0))
      ->capture_default_str();
}

/// The products of a program's schedule against a kernel's.
int compare(const ScheduleProgram& program, const std::string& kernel, const CompareKernel& compare_kernel) {
  const auto file = program.folder() / "products";
  const int status = program.run({"--products", file});
  return status != 0 ? status : compare_kernel(kernel, read_products(file));
}

/// Proves the schedule of a file by a program that is made for it, with the same options.
int run_file(const Command& command, const CompareKernel& compare_kernel) {
  std::vector<std::string> options{"--timeout", std::to_string(command.options.seconds)};
  for (const auto& [name, value] : {std::pair{"--smt2", &command.smt2},
                                    {"--json", &command.json},
                                    {"--second-solver", &command.second_solver},
                                    {"--only", &command.only}})
    if (!value->empty()) options.insert(options.end(), {name, *value});
  if (command.explain) options.push_back("--explain");
  try {
    const ScheduleProgram program(command.options.pattern);
    const int compared = command.kernel.empty() ? 0 : compare(program, command.kernel, compare_kernel);
    const int proved = program.run(options);
    return compared == 1 || proved == 1 ? 1 : std::max(compared, proved);
  } catch (const NotBuilt& why) {
    return bad_input(why.what());
  }
}

}  // namespace

int prove_one(const OneSchedule& schedule, int argc, char** argv) {
  const std::string& name = schedule.name;
  CLI::App app;
  Command command;
  std::string products;
  add_options(app, command);
  app.add_option("--only", command.options.pattern);
  app.add_option("--products", products);
  CLI11_PARSE(app, argc, argv);
  try {
    if (products.empty()) return run(command, {{name, schedule.obligations()}});
    write_products(schedule.products(), products);
    return 0;
  } catch (const NotASchedule& why) {
    fmt::print("{} is no schedule: {}\n", name, why.what());
    return 1;
  } catch (const impl::Stray& why) {
    fmt::print("{} leaves what it is given: {}\n", name, why.what());
    return 1;
  } catch (const WrongOwner& why) {
    return bad_input(fmt::format("{}: {}", name, why.what()));
  }
}

void add_prove(CLI::App& app, int& status, const CompareKernel& compare_kernel) {
  auto command = std::make_shared<Command>();
  CLI::App* prove = app.add_subcommand("prove", "Prove the formulas and shortcuts for all shapes");
  prove->add_option("PATTERN", command->options.pattern,
                    "Obligations whose name contains this; * and ? as in file names; all by default; or a "
                    "header with a loop nest of your own; --list prints the names");
  add_options(*prove, *command);
  prove->add_option("--only", command->only, "PATTERN of the obligations of such a header");
  prove->add_option(
      "--kernel", command->kernel,
      "Kernel (shared object, sources or a bundled name) whose products are compared with those "
      "of such a header, on a box of small shapes");
  prove->add_flag("--list", command->list, "Print what is proved as a Markdown table, and prove nothing");
  prove->callback([command, compare_kernel, &status] {
    if (command->list) return fmt::print("{}", listing(subjects()));
    const std::string& pattern = command->options.pattern;
    if (std::filesystem::is_regular_file(pattern))
      status = run_file(*command, compare_kernel);
    else if (!command->only.empty() || !command->kernel.empty())
      status = bad_input(fmt::format("{} is {}, but PATTERN is no header with a loop nest of your own",
                                     command->only.empty() ? "--kernel" : "--only",
                                     command->only.empty() ? command->kernel : command->only));
    else
      status = run(*command, subjects());
  });
}

}  // namespace wgradcheck::proofs
