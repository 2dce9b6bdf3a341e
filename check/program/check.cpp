#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "check/program/commands.hpp"
#include "check/program/kernel_options.hpp"
#include "check/program/outputs.hpp"
#include "check/program/search_options.hpp"
#include "check/report/files.hpp"
#include "check/report/kept.hpp"
#include "check/report/saved.hpp"
#include "check/report/words.hpp"
#include "check/run/conv_param.hpp"
#include "check/search/session.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

struct Options {
  KernelOptions kernel;
  SearchOptions search;
  Outputs outputs;
  std::string bias, placement, param, keep;
  std::int64_t seconds = 3600, align = 0;
  int magnitude = 0, exact_bits = Fill().exact_bits;
  bool non_finite = false, subnormal = false, rounds = false;
};

/// The kernel's counterexamples of earlier checks; none where the run is to be a given one.
Kept kept_of(const Options& o, const Kernel& kernel) {
  const bool given = o.search.seed || !o.search.shapes.empty() || !o.search.shape_file.empty();
  return {given || o.keep == "none" ? ""
          : o.keep.empty()          ? usual_kept_folder()
                                    : o.keep,
          o.kernel.saved(kernel)};
}

/// The words that make the whole run again: those given, but for where reports go, and the seed.
std::vector<std::string> rerun_of(const CLI::App& command, const Invocation& how, std::uint64_t seed) {
  std::vector<std::string> words{how.program, "check"};
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

/// A field of ConvParameter and its value, written `kernel_h_=0`.
Tamper tamper_of(const std::string& text) {
  const std::size_t at = text.find('=');
  const auto field = std::ranges::find(kParamFields, text.substr(0, at));
  std::int32_t value = 0;
  const char* const end = text.data() + text.size();
  const char* const digits = at == std::string::npos ? end : text.data() + at + 1;
  const auto read = std::from_chars(digits, end, value);
  if (field == kParamFields.end() || digits == end || read.ec != std::errc() || read.ptr != end)
    throw BadInput{
        fmt::format("--param is {}; it must be a field of ConvParameter and an int, as kernel_h_=0", text)};
  return {static_cast<int>(field - kParamFields.begin()), value};
}

/// A case given in full, as replay commands do: the data of the first --shape follow from --seed alone.
std::vector<Trial> given_cases(const Options& o, const Domain& domain, const std::vector<spec::Shape>& shapes,
                               std::uint64_t seed) {
  const bool given = o.magnitude || o.non_finite || o.subnormal || o.rounds || !o.param.empty() ||
                     !o.bias.empty() || !o.placement.empty();
  std::vector<Trial> trials;
  if (domain.abi->host && (!o.param.empty() || !o.bias.empty()))
    throw BadInput{fmt::format("--param and --bias mean nothing to {}", domain.abi->name)};
  if (!given) return trials;
  if (shapes.empty())
    throw BadInput{
        "--param, --placement, --magnitude, --bias, --nonfinite, --subnormal and --rounding need a --shape"};
  for (const spec::Shape& shape : shapes) {
    // As replay commands leave it out: one core, whatever the convention allows.
    const bool one =
        o.search.call.core_mask.empty() && o.search.call.cores == 0 && o.search.call.threads == 0;
    Trial t{.test = {.shape = shape,
                     .core_mask = one ? 1 : domain.core_masks.back(),
                     .implementation = domain.implementations.front(),
                     .seed = seed},
            .fill = {.exact_bits = o.exact_bits,
                     .non_finite = o.non_finite,
                     .subnormal = o.subnormal,
                     .rounds = o.rounds}};
    t.test.bias = o.bias == "column" ? Bias::column : o.bias == "cout" ? Bias::per_output : Bias::none;
    for (const Placement p : kPlacements)
      if (o.placement == placement_name(p)) t.test.placement = p;
    t.test.magnitude = o.magnitude;
    if (!o.param.empty()) t.test.tamper = tamper_of(o.param);
    if (auto why = admit(domain, t.test))
      throw BadInput{fmt::format("--shape {}: {}", spec::to_line(shape), *why)};
    trials.push_back(t);
  }
  return trials;
}

int check(const CLI::App& command, const Options& o) {
  o.outputs.require_writable();
  const ScratchFolder scratch(o.kernel.scratch());
  const Kernel kernel = o.kernel.open(scratch.path());
  o.search.call.require_meaning(*kernel.abi);
  const Promises promises = o.kernel.promises_of(kernel);
  Plan plan = o.search.plan(kernel, promises, o.kernel.usual_cases());
  plan.domain.align = std::max(o.align, plan.domain.align);
  plan.time = std::chrono::seconds(o.seconds);
  plan.first = given_cases(o, plan.domain, plan.shapes, plan.seed);
  if (!plan.first.empty()) {
    plan.cases = 0;
    plan.shapes.clear();
    plan.domain.core_masks = {plan.first.front().test.core_mask};
  }
  const Kept kept = kept_of(o, kernel);
  for (Trial& trial : kept.trials())
    if (!admit(plan.domain, trial.test)) plan.first.push_back(trial);

  const auto executor = o.kernel.executor(kernel, scratch.path());
  const auto sanitized = o.kernel.sanitized(kernel, scratch.path());
  const auto started = std::chrono::system_clock::now();
  const auto start = std::chrono::steady_clock::now();
  Verdict v = check_kernel(*executor, plan.shapes.empty() ? sanitized.get() : nullptr, promises, plan,
                           watcher_of(o.outputs.to_standard_output()));
  v.started = started;
  v.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  introduce(v, kernel, promises, o.search.condition(), executor->capabilities());
  v.fresh_seed = !o.search.seed;
  Invocation how = o.kernel.invocation();
  how.rerun = rerun_of(command, how, v.seed);
  const Checked checked{v, how, kernel, promises, o.kernel.saved(kernel)};
  o.outputs.write(checked);
  kept.replace(counterexamples_of(checked));
  return v.answer == Verdict::Answer::pass ? 0 : v.answer == Verdict::Answer::fail ? 1 : 3;
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Search for a counterexample to a kernel");
  o->kernel.add_to(*command);
  o->search.add_to(*command);
  command->add_option("--seconds", o->seconds, "Stop searching after so long")->check(CLI::PositiveNumber);
  o->outputs.add_to(*command);
  command->add_option("--keep", o->keep,
                      "Folder for counterexamples that the next check runs first, or none; by default in the "
                      "user's cache, and none with --seed, --shape or --shapes");
  command->add_option("--magnitude", o->magnitude, "Largest integer in the data of --shape")
      ->check(CLI::Range(1, 2047));
  command
      ->add_option("--placement", o->placement,
                   "Where --shape's buffers lie: the guard page at the end or start, or how aligned")
      ->check(CLI::IsMember({"end", "start", "aligned", "least"}));
  command->add_option("--bias", o->bias, "Bias argument of --shape")
      ->check(CLI::IsMember({"none", "column", "cout"}));
  command->add_option("--param", o->param,
                      "Hand --shape over with this int of ConvParameter replaced: kernel_h_=0");
  command->add_flag("--nonfinite", o->non_finite, "Put Inf and NaN into dy or x of --shape, or -0 into both");
  command->add_flag("--subnormal", o->subnormal, "Fill x and dW of --shape with subnormal numbers");
  command->add_flag("--rounding", o->rounds, "Fill --shape with numbers whose sums round");
  command->add_option("--align", o->align, "Bytes that every buffer starts at a multiple of")
      ->check(CLI::Range(1, 4096));
  command->add_option("--exact-bits", o->exact_bits, "Sums of the data of --shape stay below 2^N")
      ->check(CLI::Range(7, 24));
  command->callback([o, command, &status] { status = check(*command, *o); });
}

}  // namespace wgradcheck::check
