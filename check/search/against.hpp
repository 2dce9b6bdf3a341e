#pragma once
#include <chrono>
#include <span>

#include "check/judge/court.hpp"
#include "check/report/differences.hpp"
#include "check/search/domain.hpp"

namespace wgradcheck::check {

/// Runs an old kernel on the bytes that a new one was given, and compares what they leave in dW.
class Against {
 public:
  /// `old` names the old kernel in reports. Both are judged by the same promises.
  Against(Executor& old_kernel, const Promises&, const Abi&, std::string old);

  /// Compares runs of the new kernel, whose rulings hold their dW. Calls that must be refused are left out.
  void look(std::span<const Trial>, std::span<const Ruling> now);
  /// What was seen; the first difference is made smaller by further runs of both kernels.
  Differences conclude(Court& now, const Domain&, std::chrono::seconds limit);

 private:
  Agreement compare(const Trial&, const Ruling& now, const Ruling& before) const;
  Difference described(const Trial&, const Ruling& now, const Ruling& before) const;

  Court old_;
  const Promises& promises_;
  const Abi& abi_;
  Differences seen_;
};

}  // namespace wgradcheck::check
