#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "check/judge/court.hpp"

namespace wgradcheck::check {

/// A case and whether the kernel failed on it.
struct Example {
  Case test;
  bool fails = false;
};

/// Where a kernel fails, as far as examples show.
struct Condition {
  std::string text;  ///< as --where takes it, with `cores` and `chunks` (of an output plane) besides
  std::function<bool(const Case&)> holds;
};

/// A conjunction of at most three comparisons that holds on every failing example, each of which excludes at
/// least a tenth of the passing examples that are left. Nothing where none does, or where fewer than ten fail
/// or pass.
std::optional<Condition> learn(std::span<const Example>);

/// A sentence that says where the kernel gives a wrong dW on exact data, learnt on half of the cases and held
/// against the others: it fails nowhere else in any of them, and there mostly. Empty when none fits.
std::string fails_where(Court&, std::span<const Case>, int exact_bits);

}  // namespace wgradcheck::check
