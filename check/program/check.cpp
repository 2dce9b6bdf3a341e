#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "check/program/commands.hpp"
#include "check/program/given_case.hpp"
#include "check/program/kernel_options.hpp"
#include "check/program/old_kernel.hpp"
#include "check/program/outputs.hpp"
#include "check/program/search_options.hpp"
#include "check/ranks/mail.hpp"
#include "check/ranks/together.hpp"
#include "check/report/explanations.hpp"
#include "check/report/files.hpp"
#include "check/report/kept.hpp"
#include "check/search/session.hpp"
#include "check/search/trial.hpp"
#include "check/text.hpp"

namespace wgradcheck::check {
namespace {

struct Options {
  KernelOptions kernel;
  SearchOptions search;
  Outputs outputs;
  GivenCase given;
  OldKernelOptions old;
  std::string keep, explain;
  std::int64_t seconds = 3600, align = 0;
  bool stop_at_first = false;
};

/// Who a rank's part of a check is for.
struct Part {
  const Helper::Owner& owner;
  bool fresh_seed;
};

/// The kernel's counterexamples of earlier checks; none where the run is to be a given one.
Kept kept_of(const Options& o, const Kernel& kernel) {
  const bool given = o.search.seed || !o.search.shapes.empty() || !o.search.shape_file.empty();
  return {given || o.keep == "none" ? ""
          : o.keep.empty()          ? usual_kept_folder()
                                    : o.keep,
          o.kernel.saved(kernel)};
}

/// The words that make the whole run again: those given, but for where reports go, and the seed; `without`
/// names one that is left out too.
std::vector<std::string> rerun_of(const CLI::App& command, const Invocation& how, std::uint64_t seed,
                                  const std::string& without = "") {
  std::vector<std::string> words{how.program, "check"};
  words.insert(words.end(), how.kernel.begin(), how.kernel.end());
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (!name.starts_with("--") || option->count() == 0 || name == "--seed" || name == without ||
        Outputs::names(name))
      continue;
    for (const std::string& value : option->results()) {
      words.push_back(name);
      if (option->get_expected_max() > 0) words.push_back(value);
    }
  }
  words.insert(words.end(), {"--seed", std::to_string(seed)});
  return words;
}

/// Which part of which run a check was, as `merge` looks at it; null where it was a whole one.
nlohmann::ordered_json shard_in_json(const CLI::App& command, const Options& o, const Plan& plan,
                                     const Invocation& how) {
  if (o.search.shard.empty()) return nullptr;
  return {{"index", plan.shard.index + 1},
          {"count", plan.shard.count},
          {"of", command_of(rerun_of(command, how, plan.seed, "--shard"))}};
}

/// The number of cases in each shard of a run.
std::vector<std::int64_t> cases_of_shards(const Plan& plan) {
  std::vector<std::int64_t> all;
  for (Shard shard{0, plan.shard.count}; shard.index < shard.count; ++shard.index) {
    const auto [first, last] = shard.part_of(plan.cases);
    std::int64_t listed = 0;
    for (std::int64_t i = 0; i < std::ssize(plan.shapes); ++i) listed += shard.holds(i);
    all.push_back(plan.shapes.empty() ? last - first : listed * std::ssize(plan.domain.core_masks));
  }
  return all;
}

int check(const CLI::App& command, const Options& o, const Part* part = nullptr) {
  const ScratchFolder scratch(o.kernel.scratch());
  const Kernel kernel = o.kernel.open(scratch.path());
  o.search.call.require_meaning(*kernel.abi);
  if (kernel.abi->ascend && !o.outputs.c.empty())
    throw BadInput{fmt::format("--c {}: no C program calls a kernel as {}", o.outputs.c, kernel.abi->name)};
  const Promises promises = o.kernel.promises_of(kernel);
  Plan plan = o.search.plan(kernel, promises, o.kernel.usual_cases());
  plan.domain.align = std::max(o.align, plan.domain.align);
  plan.time = search_time(o.seconds);
  plan.stop_at_first = o.stop_at_first;
  plan.first = o.given.trials(plan.domain, plan.shapes, plan.seed, o.search.call);
  if (!o.search.shard.empty() && (!plan.first.empty() || o.old.given()))
    throw BadInput{fmt::format("{} means nothing to {}",
                               part ? std::string("mpirun") : "--shard " + o.search.shard,
                               o.old.given() ? "--against" : "a case that is given in full")};
  if (!plan.first.empty()) {
    plan.cases = 0;
    plan.shapes.clear();
    plan.domain.core_masks = {plan.first.front().test.core_mask};
  }
  const Kept kept = kept_of(o, kernel);
  const std::vector<Trial> again = asked_again(plan.domain, promises, kept.trials());
  plan.first.insert(plan.first.end(), again.begin(), again.end());

  std::optional<OldKernel> old;
  if (o.old.given()) old.emplace(o.old.open(kernel, o.kernel, scratch.path()), promises, o.kernel.timeout);
  if (old) plan.against = &old->against;

  if (part) {
    plan.stopped = part->owner.stopped;
    part->owner.tell({{"cases", cases_of_shards(plan)}});
  }
  const auto executor = o.kernel.executor(kernel, scratch.path());
  const auto sanitized = o.kernel.sanitized(kernel, scratch.path());
  Verdict v = check_kernel(*executor, plan.shapes.empty() ? sanitized.get() : nullptr, promises, plan,
                           part ? Watcher() : watcher_of(o.outputs.to_standard_output()));
  introduce(v, kernel, promises, o.search.condition(), executor->capabilities());
  v.fresh_seed = part ? part->fresh_seed : !o.search.seed;
  if (!again.empty())
    v.notes.push_back(fmt::format(
        "counterexamples of earlier checks were run first ({}); --keep none leaves them out", again.size()));
  if (has_query(*kernel.abi) && !kernel.bundled && !kernel.elsewhere)
    v.notes.push_back(promises.adds() ? "accumulate = 0 was not run; --promise dw=overwrite runs it"
                                      : "accumulate = 1 was not run; --promise dw=add runs it");
  Invocation how = o.kernel.invocation();
  o.old.add_to(how);
  how.rerun = rerun_of(command, how, v.seed);
  const Checked checked{
      v, how, kernel, promises, o.kernel.saved(kernel), shard_in_json(command, o, plan, how)};
  if (part) return part->owner.tell({{"report", json_of(checked)}}), 0;
  o.outputs.write(checked);
  kept.replace(counterexamples_of(checked));
  return status_of(v);
}

/// The same check by all ranks that mpirun started.
int check_by_ranks(const CLI::App& command, const Options& o) {
  if (const char* other = o.outputs.other_than_json())
    throw BadInput{
        fmt::format("{} means nothing under mpirun, where ranks write one report as --json; "
                    "the replay command takes it",
                    other)};
  const bool fresh = !o.search.seed;
  const auto run = [&](const std::string& shard, std::uint64_t seed, const Helper::Owner& owner) {
    Options own = o;
    own.search.shard = shard;
    own.search.seed = seed;
    const Part part{owner, fresh};
    check(command, own, &part);
  };
  return check_together({o.search.seed.value_or(fresh_seed()), o.stop_at_first, run,
                         [&](const auto& report) { return give_out(report, o.outputs.json); }});
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Search for a counterexample to a kernel");
  o->kernel.add_to(*command);
  o->search.add_to(*command, KernelOptions::usual_cases_in_words());
  command->add_option("--shard", o->search.shard,
                      "i/n: run this part of the cases alone; needs --seed, `merge` joins the parts' --json");
  command->add_flag("--stop-at-first", o->stop_at_first, "Stop searching at the first counterexample");
  command->add_option("--seconds", o->seconds, "Stop searching after so long")->check(is_positive);
  o->old.add_to(*command);
  o->outputs.add_to(*command);
  command->add_option("--keep", o->keep,
                      "Folder for counterexamples that the next check runs first, or none; by default in the "
                      "user's cache, and none with --seed, --shape or --shapes");
  o->given.add_to(*command);
  command->add_option("--align", o->align, "Bytes that every buffer starts at a multiple of")
      ->check([](const std::string& text) {
        const auto bytes = whole_number<std::uint32_t>(text).value_or(0);
        return std::has_single_bit(bytes) && bytes <= 4096 ? "" : "must be a power of two up to 4096";
      });
  command
      ->add_option("--explain", o->explain,
                   "Say what a property means that a check reports: formula, memory, rules, rounding, "
                   "nonfinite, crash or hang")
      ->expected(0, 1);
  command->callback([o, command, &status] {
    if (command->count("--explain") > 0) return fmt::print("{}", explanation_of(o->explain));
    o->outputs.require_writable();
    // Who says which part to run has no need of MPI.
    const bool by_ranks = ranks_of_mpirun() > 1 && o->search.shard.empty();
    status = by_ranks ? check_by_ranks(*command, *o) : check(*command, *o);
  });
}

}  // namespace wgradcheck::check
