#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "check/fuzz/crowd.hpp"
#include "check/fuzz/guided.hpp"
#include "check/program/commands.hpp"
#include "check/program/kernel_options.hpp"
#include "check/program/outputs.hpp"
#include "check/program/search_options.hpp"
#include "check/report/kept.hpp"
#include "check/search/session.hpp"
#include "check/search/trial.hpp"

namespace wgradcheck::check {
namespace {

struct Options {
  KernelOptions kernel;
  Outputs outputs;
  CallOptions call;
  std::string corpus;
  std::optional<std::uint64_t> seed;
  std::int64_t seconds = 60;
  int jobs = 1;
  bool raw = false;
};

/// A kernel, and all that its fuzzing needs.
struct Target {
  Kernel kernel;
  Promises promises;
  Plan plan;
  KernelOptions options;
};

/// Opens a kernel, a source so that it tells what it reaches where its compiler can do that.
Kernel open(KernelOptions& o, const std::string& scratch) {
  o.coverage = true;
  try {
    return o.open(scratch);
  } catch (const BadInput&) {
    o.coverage = false;
    return o.open(scratch);
  }
}

Target target_of(const Options& o, const KernelOptions& words, const std::string& scratch) {
  Target t{.kernel = {}, .promises = {}, .plan = {}, .options = words};
  t.kernel = open(t.options, scratch);
  t.promises = t.options.promises_of(t.kernel);
  o.call.require_meaning(*t.kernel.abi);
  if (o.raw && t.kernel.abi->host)
    throw BadInput{fmt::format("--raw: {} takes no ConvParameter", t.kernel.abi->name)};
  if (o.raw && !t.promises.refuses())
    throw BadInput{"--raw: what invalid parameters do is told of kernels alone that promise refuses=yes"};
  SearchOptions search;
  search.call = o.call;
  search.seed = o.seed;
  t.plan = search.plan(t.kernel, t.promises, std::numeric_limits<std::int64_t>::max());
  t.plan.time = search_time(o.seconds);
  return t;
}

/// What a job beside this process finds, in its own stream of cases.
Scouted scout(const Options& o, const Target& t, const std::string& scratch, int number) {
  Guided source(t.plan.seed + static_cast<std::uint64_t>(number), o.raw);
  if (!o.corpus.empty()) source.open(o.corpus);
  Plan plan = t.plan;
  plan.source = &source;
  plan.shrink = false;
  const auto executor = t.options.executor(t.kernel, scratch);
  const Verdict v = check_kernel(*executor, nullptr, t.promises, plan, {});
  Scouted scouted{.run = v.run, .refused = v.refused, .found = {}};
  for (const Counterexample& found : v.counterexamples) {
    scouted.found.push_back(t.options.saved(t.kernel));
    scouted.found.back().trial = found.trial;
    scouted.found.back().property = found.finding.property;
  }
  return scouted;
}

/// Adds what the other jobs found to a verdict, as small as it gets.
void add(const std::vector<Scouted>& jobs, const Target& t, Executor& executor, const Watcher& watcher,
         Verdict& v) {
  Plan plan = t.plan;
  plan.cases = 0;
  for (const Scouted& job : jobs) {
    v.run += job.run;
    v.refused += job.refused;
    for (const Saved& s : job.found)
      if (std::ranges::none_of(v.counterexamples,
                               [&](const Counterexample& c) { return c.finding.property == s.property; })) {
        plan.first.push_back(s.trial);
        admit(plan.domain, plan.first.back().test);
      }
  }
  if (plan.first.empty()) return;
  const Verdict more = check_kernel(executor, nullptr, t.promises, plan, watcher);
  for (const Counterexample& found : more.counterexamples) v.counterexamples.push_back(found);
  if (!more.counterexamples.empty()) v.answer = Verdict::Answer::fail;
}

/// A line that comes and goes would tell a share of what has no end.
Watcher quiet_progress(bool quiet) {
  Watcher watcher = watcher_of(quiet);
  watcher.progress = [](std::int64_t, std::int64_t) {};
  return watcher;
}

Verdict fuzz_target(const Options& o, const Target& t, const Kept& kept, const std::string& scratch) {
  Crowd crowd(o.jobs - 1, scratch, [&](int number) { return scout(o, t, scratch, number); });
  Guided source(t.plan.seed, o.raw);
  if (!o.corpus.empty()) source.open(o.corpus);
  Plan plan = t.plan;
  plan.source = &source;
  plan.first = asked_again(plan.domain, t.promises, kept.trials());
  const auto executor = t.options.executor(t.kernel, scratch);
  const auto sanitized = t.options.sanitized(t.kernel, scratch);
  const Watcher watcher = quiet_progress(o.outputs.to_standard_output());
  Verdict v = check_kernel(*executor, sanitized.get(), t.promises, plan, watcher);
  add(crowd.wait(), t, *executor, watcher, v);
  introduce(v, t.kernel, t.promises, {}, executor->capabilities());
  v.fresh_seed = !o.seed;
  v.notes.push_back(
      source.kept() > 0
          ? fmt::format("guided by what the kernel's code reached: {} cases came where none had",
                        source.kept())
          : "not guided: the kernel is not built so that it tells what its code reaches");
  return v;
}

/// The words that make such a run again. What guidance finds also depends on how far the time goes.
std::vector<std::string> rerun_of(const CLI::App& command, const Invocation& how, std::uint64_t seed) {
  std::vector<std::string> words{how.program, "fuzz"};
  words.insert(words.end(), how.kernel.begin(), how.kernel.end());
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (!name.starts_with("--") || option->count() == 0 || name == "--seed" || Outputs::names(name)) continue;
    for (const std::string& value : option->results()) {
      words.push_back(name);
      if (option->get_expected_max() > 0) words.push_back(value);
    }
  }
  words.insert(words.end(), {"--seed", std::to_string(seed)});
  return words;
}

int fuzz(const CLI::App& command, const Options& o, const KernelOptions& words) {
  o.outputs.require_writable();
  const ScratchFolder scratch(words.scratch());
  const Target t = target_of(o, words, scratch.path());
  const Kept kept(o.seed ? "" : usual_kept_folder(), words.saved(t.kernel));
  const auto started = std::chrono::system_clock::now();
  const auto start = std::chrono::steady_clock::now();
  Verdict v = fuzz_target(o, t, kept, scratch.path());
  v.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  v.started = started;
  Invocation how = words.invocation();
  how.rerun = rerun_of(command, how, v.seed);
  const Checked checked{v, how, t.kernel, t.promises, words.saved(t.kernel)};
  o.outputs.write(checked);
  if (!v.counterexamples.empty()) kept.replace(counterexamples_of(checked));
  if (v.answer == Verdict::Answer::fail) return 1;
  return v.answer == Verdict::Answer::pass ? 0 : 3;
}

/// Each bundled target that is there, in its share of the time; with --raw those that take a ConvParameter.
int fuzz_each(const CLI::App& command, Options o) {
  std::vector<std::string> names;
  for (const Kernel& k : bundled_kernels())
    if (absence(k).empty() && !(o.raw && k.abi->host)) names.push_back(k.name);
  o.seconds = std::max<std::int64_t>(1, o.seconds / std::max<std::int64_t>(1, std::ssize(names)));
  int worst = 0;
  for (const std::string& name : names) {
    KernelOptions one = o.kernel;
    one.what = {name};
    const int status = fuzz(command, o, one);
    worst = worst == 1 || status == 1 ? 1 : std::max(worst, status);
  }
  return worst;
}

}  // namespace

void add_fuzz(CLI::App& app, int& status) {
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "fuzz",
      "Search on for a set time, guided by what code of the kernel is reached; without a kernel, "
      "fuzz each bundled target");
  o->kernel.add_to(*command);
  command->add_option("--seconds", o->seconds, "How long to search")
      ->check(is_positive)
      ->capture_default_str();
  command->add_option("--jobs", o->jobs, "Processes that search")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command
      ->add_option("--corpus", o->corpus, "Folder of byte strings to begin with, to which new ones are added")
      ->check(has_a_name);
  command->add_flag("--raw", o->raw, "Hand over parameters that the rules refuse, too, any int in any field");
  command->add_option("--seed", o->seed, "Of shapes, data and changes")->check(is_count);
  o->call.add_to(*command);
  o->outputs.add_to(*command);
  command->callback([o, command, &status] {
    const bool named = !o->kernel.what.empty() || !o->kernel.runner.empty();
    status = named ? fuzz(*command, *o, o->kernel) : fuzz_each(*command, *o);
  });
}

}  // namespace wgradcheck::check
