#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "check/program/call_options.hpp"
#include "check/program/commands.hpp"
#include "check/program/kernel_options.hpp"
#include "check/program/outputs.hpp"
#include "check/report/files.hpp"
#include "check/report/kept.hpp"
#include "check/report/saved.hpp"
#include "check/report/words.hpp"
#include "check/run/conv_param.hpp"
#include "check/run/local_executor.hpp"
#include "check/search/session.hpp"
#include "check/search/shape_list.hpp"
#include "check/search/where.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

struct Options {
  KernelOptions kernel;
  CallOptions call;
  std::vector<std::string> where, shapes, skip;
  Outputs outputs;
  std::string shape_file, bias, placement, param, keep;
  std::optional<std::int64_t> batch;
  std::optional<std::uint64_t> seed;
  std::int64_t cases = 10000, seconds = 3600;
  std::int64_t align = 0;
  int magnitude = 0, exact_bits = Fill().exact_bits;
  bool non_finite = false, subnormal = false, rounds = false;
};

/// The shapes of --shape and --shapes, each refusal a sentence.
std::vector<spec::Shape> shapes_of(const Options& o) {
  std::vector<spec::Shape> shapes;
  for (const std::string& line : o.shapes) {
    auto parsed = spec::parse_line(line);
    if (const auto* refusal = std::get_if<spec::Refusal>(&parsed))
      throw BadInput{fmt::format("--shape {}: {}", line, refusal->reason)};
    shapes.push_back(std::get<spec::Shape>(parsed));
    if (o.batch) shapes.back().batch = *o.batch;
  }
  if (o.shape_file.empty()) return shapes;
  for (const ListedShape& listed : read_shapes(o.shape_file, o.batch)) {
    if (const auto* refusal = std::get_if<spec::Refusal>(&listed.shape))
      throw BadInput{
          fmt::format("{}:{}: {}: {}", listed.file, listed.line_number, listed.line, refusal->reason)};
    shapes.push_back(std::get<spec::Shape>(listed.shape));
  }
  if (shapes.empty()) throw BadInput{fmt::format("--shapes {}: the file lists no shape", o.shape_file)};
  return shapes;
}

std::set<Property> skipped_of(const std::vector<std::string>& names) {
  std::set<Property> skipped;
  for (const std::string& name : names) {
    bool known = false;
    for (int p = 0; p <= static_cast<int>(Property::hang); ++p)
      if (name == name_of(static_cast<Property>(p)))
        known = skipped.insert(static_cast<Property>(p)).second || true;
    if (!known)
      throw BadInput{fmt::format(
          "--skip {}: channels are formula, memory, rules, rounding, nonfinite, crash, hang", name)};
  }
  return skipped;
}

Domain domain_of(const Options& o, const Kernel& kernel, const Promises& promises, const Where& where) {
  Domain domain;
  domain.abi = kernel.abi;
  if (!where.text().empty()) domain.where = where;
  o.call.set(domain);
  domain.align = std::max(o.align, promises.alignment().value_or(0));
  domain.read_slack = promises.read_slack();
  domain.accumulate = promises.adds();
  if (const auto bias = promises.bias(); bias && *bias != Bias::none) domain.biases = {Bias::none, *bias};
  return domain;
}

std::uint64_t fresh_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 31 ^ device()) >> 1;
}

/// One line that comes and goes, on a terminal only.
Watcher watcher_of(bool quiet) {
  Watcher watcher;
  if (isatty(STDERR_FILENO))
    watcher.progress = [](std::int64_t run, std::int64_t of) {
      fmt::print(stderr, "\r{} of {} cases{}", run, of, run == of ? "\r\033[K" : "");
      std::fflush(stderr);
    };
  if (!quiet)
    watcher.failure = [](const Case& c, const Finding& f) {
      const std::string line = fmt::format("{} fails: {} (shrinking)", spec::to_line(c.shape), f.detail);
      fmt::print("{}\n", wrapped(line, 78, 2));
      std::fflush(stdout);
    };
  return watcher;
}

/// The kernel's counterexamples of earlier checks; none where the run is to be a given one.
Kept kept_of(const Options& o, const Kernel& kernel) {
  const bool given = o.seed || !o.shapes.empty() || !o.shape_file.empty();
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
    const bool one = o.call.core_mask.empty() && o.call.cores == 0 && o.call.threads == 0;
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
  const ScratchFolder scratch;
  const Kernel kernel = o.kernel.open(scratch.path());
  o.call.require_meaning(*kernel.abi);
  const Promises promises = o.kernel.promises_of(kernel);
  Where where;
  for (const std::string& text : o.where) where &= Where::parse(text);

  Plan plan;
  plan.domain = domain_of(o, kernel, promises, where);
  plan.aims = where.aims();
  plan.shapes = shapes_of(o);
  plan.cases = o.cases;
  plan.time = std::chrono::seconds(o.seconds);
  plan.seed = o.seed.value_or(fresh_seed());
  plan.skip = skipped_of(o.skip);
  plan.first = given_cases(o, plan.domain, plan.shapes, plan.seed);
  if (!plan.first.empty()) {
    plan.cases = 0;
    plan.shapes.clear();
    plan.domain.core_masks = {plan.first.front().test.core_mask};
  }
  const Kept kept = kept_of(o, kernel);
  for (Trial& trial : kept.trials())
    if (!admit(plan.domain, trial.test)) plan.first.push_back(trial);

  const auto executor = local_executor(kernel, {.deadline = o.kernel.timeout});
  const auto sanitized = o.kernel.sanitized(kernel, scratch.path());
  const auto started = std::chrono::system_clock::now();
  const auto start = std::chrono::steady_clock::now();
  Verdict v = check_kernel(*executor, plan.shapes.empty() ? sanitized.get() : nullptr, promises, plan,
                           watcher_of(o.outputs.to_standard_output()));
  v.started = started;
  v.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  v.kernel = kernel.name + ": " + kernel.symbol;
  v.abi = kernel.abi->name;
  v.host = kernel.abi->host;
  v.domain = where.text().empty()
                 ? fmt::format("every {} shape that the convention can express", v.host ? "2D and 3D" : "2D")
                 : where.text();
  v.promises = promises.text();
  v.fresh_seed = !o.seed;
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
  command->add_option("--where", o->where, "The kernel's domain, over a line's names: \"ic%8==0 && kh==3\"");
  command->add_option("--shape", o->shapes, "Run this problem line; repeatable");
  command->add_option("--shapes", o->shape_file,
                      "Run the problem lines of a file, benchdnn's batch files too");
  command->add_option("--mb", o->batch, "Batch of every --shape and --shapes line")
      ->check(CLI::PositiveNumber);
  command->add_option("--cases", o->cases, "Cases to generate")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--seconds", o->seconds, "Stop searching after so long")->check(CLI::PositiveNumber);
  command->add_option("--seed", o->seed, "Of shapes and data; the same seed gives the same run")
      ->check([](const std::string& text) {
        // CLI11 reads -1 as 2^64 - 1.
        const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
        return digits ? "" : "must be a number from 0 to 18446744073709551615";
      });
  o->call.add_to(*command);
  command->add_option(
      "--skip", o->skip,
      "A channel not to judge: formula, memory, rules, rounding, nonfinite, crash or hang; repeatable");
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
