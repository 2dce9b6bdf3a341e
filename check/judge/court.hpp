#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "check/judge/judge.hpp"

namespace wgradcheck::check {

/// One run to make: a case and how its numbers are chosen.
struct Trial {
  Case test;
  Fill fill;
};

/// Bits of its sums' range that a transform with the points 0, 1 and -1 on two axes loses: it halves twice,
/// and its partial sums are up to nine times as large.
inline constexpr int kTransformBits = 6;

/// Bits of the accumulator that the error of Fourier transforms may take, so that integers are told from it.
inline constexpr int kFftBits = 14;

/// Bits of sums that small products have room in.
inline constexpr int kLeastBits = 2;

/// The fill of data whose partial sums the promised accumulator and partials hold exactly, and of which a
/// promised transform's are exact too.
Fill fill_for(Fill, const Promises&);

/// What became of one trial.
struct Ruling {
  std::vector<Finding> findings;
  Outcome outcome;
  std::optional<double> rounding{};  ///< on data whose sums round: the worst error over the error allowed
  std::vector<std::byte>
      dw{};  ///< what the kernel left there, where the court keeps it and the kernel returned
};

/// Runs trials on an executor and judges each.
class Court {
 public:
  Court(Executor& executor, const Promises& promises) : executor_(executor), promises_(promises) {}

  /// A ruling for each trial, in order. Trials whose sums round and show nothing else are run twice where
  /// calls can be repeated: their bits must not change.
  std::vector<Ruling> judge(std::span<const Trial>);

  /// dW after the call for each case, given its numbers; nothing where the kernel did not return.
  std::vector<std::optional<std::vector<double>>> observe(std::span<const Case>, std::span<const Data>);

  /// From now on rulings hold dW.
  void keep_results() { keeps_results_ = true; }
  void restart() { executor_.restart(); }
  void limit(std::optional<double> seconds) { executor_.limit(seconds); }
  /// The same kernel held to other promises, which must outlive the result.
  Court held_to(const Promises& promises) const { return {executor_, promises}; }
  const Promises& promises() const { return promises_; }
  Capabilities capabilities() const { return executor_.capabilities(); }
  std::int64_t launches_left() const { return executor_.launches_left(); }

 private:
  void repeat(std::span<const Trial>, std::span<const std::vector<std::byte>> first, std::vector<Ruling>&);

  Executor& executor_;
  const Promises& promises_;
  bool keeps_results_ = false;
  Data room_;  ///< numbers of a case that is over; fresh pages cost more than what is done with them
};

}  // namespace wgradcheck::check
