#include "check/ranks/ledger.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/report/merged.hpp"

namespace wgradcheck::check {

using Json = Ledger::Json;

Ledger::Ledger(int ranks, Clock::duration patience, Clock::time_point now)
    : ranks_(static_cast<std::size_t>(ranks), {nullptr, "", now}), patience_(patience) {}

void Ledger::hear(int number, const Json& message, Clock::time_point now) {
  Rank& rank = ranks_.at(static_cast<std::size_t>(number));
  rank.heard = now;
  if (message.contains("cases")) cases_ = message.at("cases").get<std::vector<std::int64_t>>();
  if (message.contains("report")) rank.report = message.at("report");
  // What ends after its report has done what it was there for.
  if (message.contains("died") && rank.report.is_null()) rank.died = message.at("died").get<std::string>();
  if (message.contains("error") && !error_)
    error_ = {fmt::format("rank {}: {}", number, message.at("error").get<std::string>()),
              message.at("status").get<int>()};
}

bool Ledger::is_lost(const Rank& rank, Clock::time_point now) const { return now - rank.heard > patience_; }

bool Ledger::is_over(const Rank& rank, Clock::time_point now) const {
  return !rank.report.is_null() || !rank.died.empty() || is_lost(rank, now);
}

bool Ledger::over(Clock::time_point now) const {
  return error_ || std::ranges::all_of(ranks_, [&](const Rank& rank) { return is_over(rank, now); });
}

bool Ledger::lost_one(Clock::time_point now) const {
  return std::ranges::any_of(ranks_, [&](const Rank& rank) { return is_lost(rank, now); });
}

bool Ledger::has_counterexample() const {
  return std::ranges::any_of(ranks_, [](const Rank& rank) {
    return !rank.report.is_null() && !rank.report.at("counterexamples").empty();
  });
}

Json Ledger::report() const {
  std::vector<ShardReport> reports;
  for (std::size_t r = 0; r < ranks_.size(); ++r)
    if (!ranks_[r].report.is_null()) reports.push_back({fmt::format("rank {}", r), ranks_[r].report});
  if (reports.empty()) return nullptr;
  Json all = merged(reports);
  Json& counts = all.at("cases");
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    if (!ranks_[r].report.is_null()) continue;
    const std::int64_t missing = r < cases_.size() ? cases_[r] : 0;
    for (const char* name : {"skipped", "open"}) counts[name] = counts.at(name).get<std::int64_t>() + missing;
    const std::string& died = ranks_[r].died;
    counts["skipped_because"][fmt::format("rank {} {}", r, died.empty() ? "did not answer" : died)] = missing;
  }
  return all;
}

}  // namespace wgradcheck::check
