#pragma once
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "check/abi.hpp"
#include "check/executor.hpp"

namespace wgradcheck::check {

/// What a record may take, bytes.
struct RecordLimits {
  std::int64_t largest = 0;  ///< of a case's files
  std::int64_t round = 0;    ///< of the files of all cases of a round
};

/// Answers from folders: case k of a record lies in FOLDER/roundN/<hash of its files>. A case that lies there
/// with its dw.npy is answered, one without is open. One that does not lie there is open too, and is written
/// as part of the next round, while that has room. The files of a case are made again and compared; where one
/// differs, a run throws BadInput.
class Recorded : public Executor {
 public:
  /// Of a folder that exists. What an interrupted run left of a next round is removed.
  Recorded(const Abi&, std::filesystem::path folder, const RecordLimits&);
  /// Drops a next round that was not finished.
  ~Recorded() override;
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;

  Capabilities capabilities() const override { return kAnswers; }
  void run(std::span<const Case>, const Prepare&, const Done&) override;

  /// Rounds that there are.
  int rounds() const { return rounds_; }
  /// Cases of the next round so far.
  std::int64_t asked() const { return std::ssize(asked_); }
  /// Cases larger than the record takes.
  const std::vector<Case>& too_large() const { return too_large_; }
  /// Makes the next round one of those that there are; returns its folder. Throws BadInput.
  std::filesystem::path finish_round();

 private:
  std::filesystem::path round(int number) const;
  std::filesystem::path next() const;
  Outcome look_up(const Case&, const Tensors&, std::int64_t bytes);

  const Abi& abi_;
  std::filesystem::path folder_;
  RecordLimits limits_;
  int rounds_ = 0;
  std::int64_t bytes_ = 0;       ///< of the next round
  std::set<std::string> asked_;  ///< names of its folders
  std::vector<Case> too_large_;
};

/// Runs nothing, and notes what a record of the cases would take.
class Measuring : public Executor {
 public:
  explicit Measuring(const Abi& abi) : abi_(abi) {}
  Capabilities capabilities() const override { return kAnswers; }
  void run(std::span<const Case>, const Prepare&, const Done&) override;

  /// The size of a case that as many as possible keep within, if those that do are to fit `round` together;
  /// less than that of any where none fits.
  std::int64_t largest_within(std::int64_t round) const;

 private:
  const Abi& abi_;
  std::vector<std::int64_t> bytes_;
};

}  // namespace wgradcheck::check
