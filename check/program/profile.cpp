#include "check/profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "check/profile/report.hpp"
#include "check/program/call_options.hpp"
#include "check/program/commands.hpp"
#include "check/program/kernel_options.hpp"
#include "check/report/files.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kCases = 400;  ///< on which promises are confirmed

struct Options {
  KernelOptions kernel;
  CallOptions call;
  std::string json, promises;
};

/// The domain that the options leave: of several masks those of 1, 2 and 4 cores, of several implementations
/// the first.
Domain domain_of(const Options& o, const Kernel& kernel) {
  Domain domain;
  domain.abi = kernel.abi;
  o.call.set(domain);
  std::vector<std::uint32_t> some;
  for (const std::uint32_t mask : {1U, 3U, 15U})
    if (std::ranges::find(domain.core_masks, mask) != domain.core_masks.end()) some.push_back(mask);
  if (!some.empty()) domain.core_masks = some;
  domain.implementations.resize(1);
  domain.guarded = !kernel.elsewhere;
  domain.accumulate = !kernel.abi->host;
  return domain;
}

int profile(const Options& o) {
  for (const std::string& file : {o.json, o.promises})
    if (!file.empty()) require_writable(file);
  if (o.json == "-" && o.promises == "-")
    throw BadInput{"--json and --promises are both -; standard output holds one report"};
  const ScratchFolder scratch(o.kernel.scratch());
  const Kernel kernel = o.kernel.open(scratch.path());
  o.call.require_meaning(*kernel.abi);
  if (kernel.abi->ascend)
    throw BadInput{fmt::format("{}: profile knows no {}", kernel.name, kernel.abi->name)};
  const Domain domain = domain_of(o, kernel);
  const auto executor = o.kernel.executor(kernel, scratch.path());
  const auto start = std::chrono::steady_clock::now();
  Profile learnt = learn_profile(*executor, domain);
  derive_promises(learnt, domain);
  confirm_promises(*executor, domain, learnt, kCases);
  const ProfileReport report{kernel, learnt,
                             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  if (o.json != "-" && o.promises != "-") fmt::print("{}", text_of(report));
  if (!o.json.empty())
    write_file(o.json,
               json_of(report).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  if (!o.promises.empty()) write_file(o.promises, promises_of(report));
  const bool ran =
      std::ranges::any_of(learnt.paths, [](const PathProfile& p) { return p.adds.fact.clear(); });
  return ran ? 0 : 3;
}

}  // namespace

void add_profile(CLI::App& app, int& status) {
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "profile", "Learn by probing how a kernel sums, rounds and uses memory, and what it may promise");
  o->kernel.add_kernel_to(*command);
  o->call.add_to(*command);
  command->add_option("--json", o->json, "Write the profile as JSON; - for standard output, here and below")
      ->check(has_a_name);
  command->add_option("--promises", o->promises, "Write a file of promises for `check --promises`")
      ->check(has_a_name);
  command->callback([o, &status] { status = profile(*o); });
}

}  // namespace wgradcheck::check
