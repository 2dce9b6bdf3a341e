#include "check/report/merged.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>
#include <vector>

#include "check/report/fields.hpp"
#include "check/report/files.hpp"
#include "check/report/report.hpp"
#include "check/report/schema.hpp"

namespace wgradcheck::check {
namespace {

using Json = nlohmann::ordered_json;
using Reports = std::span<const ShardReport>;

/// Fields in which the shards of one run agree.
constexpr std::array kSame{"version", "kernel", "abi", "seed", "promises", "domain"};

void require_same_run(Reports reports) {
  const ShardReport& first = reports.front();
  const auto differ = [&](const ShardReport& other, const std::string& field, const Json& a, const Json& b) {
    if (a != b)
      throw BadInput{
          fmt::format("{}: field {} is {}, and {} in {}", other.file, field, b.dump(), a.dump(), first.file)};
  };
  for (const ShardReport& other : reports) {
    for (const char* field : kSame) differ(other, field, first.json.at(field), other.json.at(field));
    for (const char* field : {"count", "of"})
      differ(other, fmt::format("shard.{}", field), first.json.at("shard").at(field),
             other.json.at("shard").at(field));
  }
}

/// The reports by their shards' numbers.
std::map<std::int64_t, const ShardReport*> by_number(Reports reports) {
  std::map<std::int64_t, const ShardReport*> all;
  for (const ShardReport& one : reports) {
    const auto number = one.json.at("shard").at("index").get<std::int64_t>();
    const auto [there, is_new] = all.emplace(number, &one);
    if (!is_new)
      throw BadInput{
          fmt::format("{}: field shard.index is {}, as in {}", one.file, number, there->second->file)};
  }
  return all;
}

/// The numbers of a text, each as large as in either: "up to mb4 ih7" and "up to mb3 ih9" are "up to mb4
/// ih9". Where the texts differ in more than numbers, the first.
std::string larger_numbers(const std::string& a, const std::string& b) {
  const auto digits = [](const std::string& text, std::size_t from) {
    return std::min(text.find_first_not_of("0123456789", from), text.size()) - from;
  };
  std::string out;
  std::size_t i = 0, k = 0;
  while (i < a.size() && k < b.size()) {
    const std::size_t of_a = digits(a, i), of_b = digits(b, k);
    if (of_a && of_b) {
      const bool first = of_a != of_b ? of_a > of_b : a.compare(i, of_a, b, k, of_b) > 0;
      out += first ? a.substr(i, of_a) : b.substr(k, of_b);
    } else if (a[i] == b[k]) {
      out += a[i];
    } else {
      return a;
    }
    i += std::max<std::size_t>(of_a, 1);
    k += std::max<std::size_t>(of_b, 1);
  }
  return i == a.size() && k == b.size() ? out : a;
}

/// The largest sizes of both; a run without depth has none in its text.
std::string larger_sizes(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a + b;
  return a.size() < b.size() && a.find(" id") == std::string::npos && b.find(" id") != std::string::npos
             ? larger_numbers(b, a)
             : larger_numbers(a, b);
}

/// The share of a workspace that a text such as "at most 96 of 768 bytes used, by ..." tells.
double share(const std::string& text) {
  double used = 0, all = 0;
  return std::sscanf(text.c_str(), "at most %lf of %lf", &used, &all) == 2 && all > 0 ? used / all : 0;
}

/// Sums of the numbers by name; names in the order in which they come first.
void add_counts(Json& sum, const Json& more) {
  for (const auto& [name, count] : more.items())
    sum[name] = sum.value(name, std::int64_t{0}) + count.get<std::int64_t>();
}

void add_cases(Json& sum, const Json& more) {
  for (const char* name : {"run", "skipped", "open", "refused"})
    sum[name] = sum.at(name).get<std::int64_t>() + more.at(name).get<std::int64_t>();
  sum["largest"] = larger_sizes(sum.at("largest"), more.at("largest"));
  if (share(more.at("workspace")) > share(sum.at("workspace"))) sum["workspace"] = more.at("workspace");
  for (const char* name : {"by_class", "skipped_because"}) add_counts(sum[name], more.at(name));
}

/// Appends what is not there yet; counterexamples are told apart by their property.
void add_each(Json& all, const Json& more) {
  const auto key = [](const Json& one) { return one.is_object() ? one.at("property") : one; };
  for (const Json& one : more)
    if (std::ranges::none_of(all, [&](const Json& known) { return key(known) == key(one); }))
      all.push_back(one);
}

const char* verdict_of(const Json& report, bool whole) {
  if (!report.at("counterexamples").empty()) return "fail";
  const Json& cases = report.at("cases");
  return whole && cases.at("run") > 0 && cases.at("open") == 0 && report.at("neglected").empty() ? "pass"
                                                                                                 : "none";
}

}  // namespace

ShardReport read_shard_report(const std::string& path) {
  return to_shard_report(path, read_file(path, 64 << 20));
}

ShardReport to_shard_report(const std::string& path, const std::string& text) {
  const Fields fields = Fields::parse(path, text, "a report of check --json");
  if (!fields.has("tool") || fields.get<Json>("tool") != "wgradcheck")
    fields.bad("tool", "is not \"wgradcheck\"; it is no report of check --json");
  fields.number("schema", kReportSchema, kReportSchema);
  if (const auto faults = schema_faults(fields.all()); !faults.empty())
    throw BadInput{fmt::format("{}: field {}", path, faults.front())};
  if ((fields.get<std::string>("verdict") == "fail") == fields.get<Json>("counterexamples").empty())
    fields.bad("verdict", fmt::format("is {}, which its counterexamples contradict",
                                      fields.get<Json>("verdict").dump()));
  if (!fields.has("shard") || !fields.get<Json>("shard").is_object())
    fields.bad("shard", "names no shard; only reports of check --shard are joined");
  const Fields shard = fields.inside("shard");
  const std::int64_t count = shard.number("count", 1, std::int64_t{1} << 32);
  shard.number("index", 1, count);
  shard.get<std::string>("of");
  return {path, fields.all()};
}

Json merged(Reports reports) {
  require_same_run(reports);
  const auto shards = by_number(reports);
  Json all = shards.begin()->second->json;
  const auto count = all.at("shard").at("count").get<std::int64_t>();
  for (const auto& [number, one] : shards) {
    if (one == shards.begin()->second) continue;
    const Json& more = one->json;
    all["seconds"] = all.at("seconds").get<double>() + more.at("seconds").get<double>();
    add_cases(all["cases"], more.at("cases"));
    // Null, where no run had sums that round, is less than any number.
    all["rounding_worst"] = std::max(all.at("rounding_worst"), more.at("rounding_worst"));
    for (const char* list : {"neglected", "channels_skipped", "unseen", "notes", "counterexamples"})
      add_each(all[list], more.at(list));
  }
  const std::int64_t missing = count - std::ssize(shards);
  if (missing)
    all["notes"].push_back(
        fmt::format("{} of {} shards are missing, the first of them {}", missing, count, [&] {
          std::int64_t first = 1;
          while (shards.contains(first)) ++first;
          return first;
        }()));
  all["verdict"] = verdict_of(all, missing == 0);
  all["replay"] = all.at("counterexamples").empty() ? all.at("shard").at("of")
                                                    : all.at("counterexamples").back().at("replay");
  all["shard"] = nullptr;
  return all;
}

}  // namespace wgradcheck::check
