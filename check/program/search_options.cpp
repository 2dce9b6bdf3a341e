#include "check/program/search_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <random>

#include "check/program/commands.hpp"
#include "check/report/account.hpp"
#include "check/report/words.hpp"
#include "check/search/onnx_model.hpp"
#include "check/search/shape_list.hpp"
#include "check/text.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

std::set<Property> skipped_of(const std::vector<std::string>& names) {
  std::set<Property> skipped;
  for (const std::string& name : names) {
    const auto property = property_named(name);
    if (!property)
      throw BadInput{fmt::format(
          "--skip {}: channels are formula, memory, rules, rounding, nonfinite, crash, hang", name)};
    skipped.insert(*property);
  }
  return skipped;
}

Domain domain_of(const Kernel& kernel, const Promises& promises, const Where& where,
                 const CallOptions& call) {
  Domain domain;
  domain.abi = kernel.abi;
  if (!where.text().empty()) domain.where = where;
  call.set(domain);
  if (kernel.elsewhere) {
    domain.guarded = false;
    // Where calls cost much, one way to call it is enough unless others are asked for.
    if (kernel.abi->host && call.threads == 0 && call.cores == 0) domain.core_masks = {1};
    if (!call.implementation) domain.implementations = {0};
  }
  keep_to(promises, domain);
  return domain;
}

}  // namespace

void SearchOptions::add_to(CLI::App& command, const std::string& usual_cases) {
  command.add_option("--where", where, "The kernel's domain, over a line's names: \"ic%8==0 && kh==3\"");
  command.add_option("--shape", shapes,
                     "Run this problem line, or a command of benchdnn, MIOpenDriver or "
                     "cutlass_profiler; repeatable");
  command.add_option("--shapes", shape_file,
                     "Run the problem lines of a file, benchdnn's batch files and ONNX models too");
  command.add_option("--dim", dims, "NAME=N: a symbolic dimension of the ONNX model; repeatable");
  command.add_option("--mb", batch, "Batch of every --shape and --shapes line")->check(is_positive);
  command.add_option("--cases", cases, "Cases to generate; " + usual_cases)->check(is_count);
  command.add_option("--seed", seed, "Of shapes and data; the same seed gives the same run")
      ->check([](const std::string& text) {
        // CLI11 reads -1, and what is too large, as 2^64 - 1.
        return whole_number<std::uint64_t>(text) ? "" : "must be a number from 0 to 18446744073709551615";
      });
  call.add_to(command);
  command.add_option(
      "--skip", skip,
      "A channel not to judge: formula, memory, rules, rounding, nonfinite, crash or hang; repeatable");
}

Where SearchOptions::condition() const {
  Where all;
  for (const std::string& text : where) all &= Where::parse(text);
  return all;
}

std::vector<spec::Shape> SearchOptions::listed() const {
  if (batch && shapes.empty() && shape_file.empty())
    throw BadInput{fmt::format("--mb {} means nothing without --shape or --shapes", *batch)};
  std::vector<spec::Shape> listed;
  for (const std::string& line : shapes) {
    const ListedShape one = read_listed(line, batch);
    if (const auto* refusal = std::get_if<spec::Refusal>(&one.shape))
      throw BadInput{fmt::format("--shape {}: {}", line, refusal->reason)};
    listed.push_back(std::get<spec::Shape>(one.shape));
  }
  if (!dims.empty() && shape_file.empty()) throw BadInput{"--dim means nothing without --shapes"};
  if (shape_file.empty()) return listed;
  for (const ListedShape& one : read_list(shape_file, batch, dims)) {
    if (const auto* refusal = std::get_if<spec::Refusal>(&one.shape))
      throw BadInput{fmt::format("{}:{}: {}: {}", one.file, one.line_number, one.line, refusal->reason)};
    listed.push_back(std::get<spec::Shape>(one.shape));
  }
  if (listed.empty()) throw BadInput{fmt::format("--shapes {}: the file lists no shape", shape_file)};
  return listed;
}

Plan SearchOptions::plan(const Kernel& kernel, const Promises& promises, std::int64_t usual_cases) const {
  const Where all = condition();
  Plan plan;
  plan.domain = domain_of(kernel, promises, all, call);
  plan.aims = all.aims();
  plan.shapes = listed();
  plan.cases = cases.value_or(usual_cases);
  plan.seed = seed.value_or(fresh_seed());
  if (!shard.empty()) plan.shard = shard_of(shard);
  if (!shard.empty() && !seed)
    throw BadInput{fmt::format("--shard {} needs --seed, the same for every shard", shard)};
  plan.skip = skipped_of(skip);
  return plan;
}

std::uint64_t fresh_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 31 ^ device()) >> 1;
}

Watcher watcher_of(bool quiet) {
  Watcher watcher;
  // One line that comes and goes.
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

void introduce(Verdict& v, const Kernel& kernel, const Promises& promises, const Where& condition,
               const Capabilities& can) {
  v.kernel = kernel.elsewhere ? kernel.name : kernel.name + ": " + kernel.symbol;
  v.abi = kernel.abi->name;
  v.host = has_query(*kernel.abi);
  v.domain = condition.text().empty() ? fmt::format("every {} shape that the convention can express",
                                                    kernel.abi->host ? "2D and 3D" : "2D")
                                      : condition.text();
  v.promises = promises.text();
  v.memory_seen = can.memory;
  v.unseen = unseen_by(can);
}

}  // namespace wgradcheck::check
