#pragma once
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace wgradcheck::check {

/// What rank 0 knows of each rank of a check, rank r of n running shard (r + 1)/n.
class Ledger {
 public:
  using Json = nlohmann::ordered_json;
  using Clock = std::chrono::steady_clock;

  /// `patience`: how long a rank may say nothing before it is given up.
  Ledger(int ranks, Clock::duration patience, Clock::time_point now);

  /// Takes what a rank says: {"cases": [of each shard]}, {"report": of its shard}, {"died": how},
  /// {"error": sentence, "status": exit status}, or anything, as a sign of life.
  void hear(int rank, const Json& message, Clock::time_point now);
  /// Whether nothing more is to come: each rank has reported, or died, or is given up.
  bool over(Clock::time_point now) const;
  /// Whether a rank is given up, so that it cannot be told to leave.
  bool lost_one(Clock::time_point now) const;
  bool has_counterexample() const;
  /// What a rank refused: its input, or the exit status and a sentence; nothing where none did.
  const std::optional<std::pair<std::string, int>>& error() const { return error_; }
  /// The joined report. Cases of ranks that have none are not run, and open. Null where no rank has one.
  /// Throws BadInput: reports of different runs.
  Json report() const;

 private:
  struct Rank {
    Json report;       ///< null until there is one
    std::string died;  ///< how; empty where it did not
    Clock::time_point heard;
  };
  bool is_over(const Rank&, Clock::time_point now) const;
  bool is_lost(const Rank&, Clock::time_point now) const;

  std::vector<Rank> ranks_;
  Clock::duration patience_;
  std::vector<std::int64_t> cases_;  ///< of each shard; empty until it is known
  std::optional<std::pair<std::string, int>> error_;
};

}  // namespace wgradcheck::check
