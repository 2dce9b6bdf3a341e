#pragma once
#include <map>

#include "check/report/verdict.hpp"
#include "check/search/class_in_domain.hpp"
#include "check/search/extremes.hpp"

namespace wgradcheck::check {

/// Counts the runs of a check: made, refused, skipped and why, by class of shapes, and how far they went.
class RunCount {
 public:
  explicit RunCount(const Abi& abi) : shares_(abi) {}

  /// What became of a case.
  void add(const Case&, const Outcome&);
  /// A case that was drawn for another part of the run.
  void add_elsewhere(const Case& c) { shares_.add(c, false); }
  /// Cases that are not even tried; `open` where a verdict waits for them.
  void skip(const std::string& why, std::int64_t count = 1, bool open = false) {
    skipped_ += count, because_[why] += count, open_ += open ? count : 0;
  }

  const Shares& shares() const { return shares_; }
  void write_to(Verdict&) const;

 private:
  std::int64_t run_ = 0, skipped_ = 0, open_ = 0, refused_ = 0;
  std::map<std::string, std::int64_t> because_;
  Shares shares_;
  Extremes extremes_;
};

}  // namespace wgradcheck::check
