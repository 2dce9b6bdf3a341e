#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "check/program/commands.hpp"
#include "check/program/kernel_options.hpp"
#include "check/program/outputs.hpp"
#include "check/report/files.hpp"
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
  std::vector<std::string> where, shapes, skip;
  Outputs outputs;
  std::string shape_file, workspace = "documented", bias, placement;
  std::optional<std::int64_t> batch, buffer;
  std::optional<std::uint64_t> seed;
  std::string core_mask, param;
  std::int64_t cases = 10000, seconds = 3600;
  std::int64_t align = 0;
  int cores = 0, magnitude = 0, exact_bits = Fill().exact_bits;
  bool non_finite = false, rounds = false;
};

/// Masks for every count of cores up to `most`: the lowest bits, and a mask with gaps.
std::vector<std::uint32_t> masks_up_to(int most) {
  std::vector<std::uint32_t> masks;
  for (int n = 1; n <= most; ++n) {
    masks.push_back(static_cast<std::uint32_t>((std::uint64_t{1} << n) - 1));
    if (n > 1 && n <= 16) {
      std::uint32_t gaps = 0;
      for (int i = 0; i < n; ++i) gaps |= 2u << (2 * i);
      masks.push_back(gaps);
    }
  }
  return masks;
}

std::vector<std::uint32_t> masks_of(const Options& o, const Kernel& kernel) {
  if (o.core_mask.empty()) return masks_up_to(kernel.abi->shared ? (o.cores ? o.cores : 4) : 1);
  const bool binary = o.core_mask.starts_with("0b");
  const char* digits = o.core_mask.c_str() + (binary ? 2 : 0);
  char* end = nullptr;
  const unsigned long long mask = std::strtoull(digits, &end, binary ? 2 : 0);
  if (end == digits || *end || mask == 0 || mask > 0xffffffff)
    throw BadInput{fmt::format("--core-mask is {}; it must be a number from 1 to 0xffffffff", o.core_mask)};
  if (!kernel.abi->shared && mask != 1)
    throw BadInput{
        fmt::format("--core-mask is {}, but {} is called on one core", o.core_mask, kernel.abi->name)};
  return {static_cast<std::uint32_t>(mask)};
}

WorkspaceSize workspace_of(const std::string& text) {
  if (text == "documented") return {WorkspaceSize::Kind::documented, 0};
  if (text == "safe") return {WorkspaceSize::Kind::safe, 0};
  std::size_t used = 0;
  try {
    const std::int64_t bytes = std::stoll(text, &used);
    if (used == text.size() && bytes >= 0) return {WorkspaceSize::Kind::bytes, bytes};
  } catch (const std::exception&) {
  }
  throw BadInput{fmt::format("--workspace is {}; it must be documented, safe or a number of bytes", text)};
}

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
  domain.buffer = o.buffer;
  domain.workspace = workspace_of(o.workspace);
  domain.core_masks = masks_of(o, kernel);
  domain.align = std::max(o.align, promises.alignment().value_or(0));
  domain.read_slack = promises.read_slack();
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
  const bool given =
      o.magnitude || o.non_finite || o.rounds || !o.param.empty() || !o.bias.empty() || !o.placement.empty();
  std::vector<Trial> trials;
  if (!given) return trials;
  if (shapes.empty())
    throw BadInput{"--param, --placement, --magnitude, --bias, --nonfinite and --rounding need a --shape"};
  for (const spec::Shape& shape : shapes) {
    // As replay commands leave it out: one core, whatever the convention allows.
    const std::uint32_t mask = o.core_mask.empty() && o.cores == 0 ? 1 : domain.core_masks.back();
    Trial t{.test = {.shape = shape, .core_mask = mask, .seed = seed},
            .fill = {.exact_bits = o.exact_bits, .non_finite = o.non_finite, .rounds = o.rounds}};
    t.test.bias = o.bias == "column" ? Bias::column : o.bias == "cout" ? Bias::per_output : Bias::none;
    t.test.placement = o.placement == "start"     ? Placement::flush_start
                       : o.placement == "aligned" ? Placement::aligned
                                                  : Placement::flush_end;
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
  v.domain = where.text().empty() ? "every 2D shape that the convention can express" : where.text();
  v.promises = promises.text();
  Invocation how = o.kernel.invocation();
  how.rerun = rerun_of(command, how, v.seed);
  o.outputs.write({v, how, kernel, promises, o.kernel.saved(kernel)});
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
  command->add_option("--seed", o->seed, "Of shapes and data; the same seed gives the same run");
  command->add_option("--cores", o->cores, "Every count of cores from 1 to N (shared kernels)")
      ->check(CLI::Range(1, 32));
  command->add_option("--core-mask", o->core_mask, "This mask of cores alone, such as 0b1010 or 0xa");
  command->add_option("--buffer", o->buffer, "buffer_size_ of every case, bytes")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{0x7fffffff}));
  command->add_option("--workspace", o->workspace, "documented, safe or a number of bytes")
      ->capture_default_str();
  command->add_option("--skip", o->skip,
                      "A channel not to judge: formula, memory, rules, nonfinite; repeatable");
  o->outputs.add_to(*command);
  command->add_option("--magnitude", o->magnitude, "Largest integer in the data of --shape")
      ->check(CLI::Range(1, 2047));
  command->add_option("--placement", o->placement, "Where the guard page of --shape touches a buffer")
      ->check(CLI::IsMember({"end", "start", "aligned"}));
  command->add_option("--bias", o->bias, "Bias argument of --shape")
      ->check(CLI::IsMember({"none", "column", "cout"}));
  command->add_option("--param", o->param,
                      "Hand --shape over with this int of ConvParameter replaced: kernel_h_=0");
  command->add_flag("--nonfinite", o->non_finite, "Put Inf and NaN into dy of --shape");
  command->add_flag("--rounding", o->rounds, "Fill --shape with numbers whose sums round");
  command->add_option("--align", o->align, "Bytes that every buffer starts at a multiple of")
      ->check(CLI::Range(1, 4096));
  command->add_option("--exact-bits", o->exact_bits, "Sums of the data of --shape stay below 2^N")
      ->check(CLI::Range(8, 24));
  command->callback([o, command, &status] { status = check(*command, *o); });
}

}  // namespace wgradcheck::check
