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
/// least a thirtieth of the passing examples. Nothing where none does, or where fewer than ten fail
/// or pass.
std::optional<Condition> learn(std::span<const Example>);

/// The sentence of fails_where, from examples that are there.
std::string condition_of(std::span<const Example>);

/// A sentence that says where the kernel gives a wrong dW on exact data, as these cases show: it fails on
/// none outside, and on how many inside. Empty when no condition fits, or where it passes on most inside.
std::string fails_where(Court&, std::span<const Case>, int exact_bits);

}  // namespace wgradcheck::check
