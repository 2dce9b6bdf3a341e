#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "check/program/commands.hpp"
#include "check/program/kernel_options.hpp"
#include "check/program/outputs.hpp"
#include "check/program/search_options.hpp"
#include "check/report/files.hpp"
#include "check/report/report.hpp"
#include "check/report/saved.hpp"
#include "check/search/session.hpp"

namespace wgradcheck::check {
namespace {

int replay(const std::string& file) {
  Saved saved = load_saved(file);
  KernelOptions options{.what = saved.kernel,
                        .promises = saved.promises,
                        .abi = saved.abi,
                        .symbol = saved.symbol,
                        .compiler = saved.compiler,
                        .flags = saved.flags,
                        .peer_library = saved.peer_library,
                        .runner = saved.runner,
                        .runner_file = saved.runner_file,
                        .timeout = saved.timeout};
  std::error_code error;
  if (!saved.folder.empty()) std::filesystem::current_path(saved.folder, error);
  if (error) throw BadInput{fmt::format("{}: field folder: {}: {}", file, saved.folder, error.message())};
  const ScratchFolder scratch(options.scratch());
  const Kernel kernel = options.open(scratch.path());
  const Promises promises = options.promises_of(kernel);
  saved.trial.test.host = kernel.abi->host;
  saved.trial.test.ascend = kernel.abi->ascend;
  saved.trial.test.accumulate = promises.adds();
  Plan plan;
  plan.domain.abi = kernel.abi;
  plan.domain.guarded = !kernel.elsewhere;
  keep_to(promises, plan.domain);
  plan.domain.core_masks = {saved.trial.test.core_mask};
  plan.first = {saved.trial};
  plan.cases = 0;
  plan.shrink = false;
  plan.seed = saved.trial.test.seed;
  const auto executor = options.executor(kernel, scratch.path());
  const auto sanitized = options.sanitized(kernel, scratch.path());
  Verdict v = check_kernel(*executor, sanitized.get(), promises, plan, {});
  introduce(v, kernel, promises, {}, executor->capabilities());
  v.domain = "the saved case of " + file;
  Invocation how = options.invocation();
  how.rerun = {how.program, "replay", file};
  fmt::print("{}", text_report(v, how));
  return status_of(v);
}

}  // namespace

void add_replay(CLI::App& app, int& status) {
  auto file = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("replay", "Run a saved counterexample again");
  command->add_option("FILE", *file, "A file that `check --save` wrote")->required();
  command->callback([file, &status] { status = replay(*file); });
}

}  // namespace wgradcheck::check
