#include <fmt/format.h>

#include <memory>

#include "check/kernel.hpp"
#include "check/program/commands.hpp"
#include "check/program/outputs.hpp"
#include "check/report/files.hpp"
#include "check/report/merged.hpp"

namespace wgradcheck::check {
namespace {

int merge(const std::vector<std::string>& files, const std::string& json) {
  if (!json.empty()) require_writable(json);
  std::vector<ShardReport> reports;
  for (const std::string& file : files) reports.push_back(read_shard_report(file));
  return give_out(merged(reports), json);
}

}  // namespace

void add_merge(CLI::App& app, int& status) {
  struct Options {
    std::vector<std::string> files;
    std::string json;
  };
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("merge", "Join the JSON reports of `check --shard` to one verdict");
  command->add_option("REPORT", o->files, "Files that `check --shard i/n --json FILE` wrote")->required();
  command->add_option("--json", o->json, "Write the joined report as JSON; - for standard output")
      ->type_name("FILE")
      ->check(has_a_name);
  command->callback([o, &status] { status = merge(o->files, o->json); });
}

}  // namespace wgradcheck::check
