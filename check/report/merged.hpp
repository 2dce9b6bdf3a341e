#pragma once
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace wgradcheck::check {

/// A report of `check --shard i/n --json`, and the file that holds it.
struct ShardReport {
  std::string file;
  nlohmann::ordered_json json;
};

/// Reads one. Throws BadInput that names file and field: no report of a shard, or of another schema.
ShardReport read_shard_report(const std::string& path);
/// The same of a text that the file holds.
ShardReport to_shard_report(const std::string& path, const std::string& text);

/// The report of the whole run whose shards these are, its `shard` null. Counts add up; of the
/// counterexamples to a property the one of the lowest shard stays. It passes only where every shard is there
/// and passes. Throws BadInput, naming the field: reports of different runs, or one shard twice.
nlohmann::ordered_json merged(std::span<const ShardReport>);

/// The verdict of a report on 80 columns, in the words of `check`.
std::string text_of_report(const nlohmann::ordered_json& report);

}  // namespace wgradcheck::check
