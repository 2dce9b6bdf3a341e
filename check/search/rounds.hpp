#pragma once
#include <functional>
#include <span>
#include <vector>

#include "check/search/shrink.hpp"

namespace wgradcheck::check {

/// What a run of a candidate says: `not_run` is one that the kernel does not take, `open` one whose answer is
/// not there yet.
enum class Tried { passes, fails, not_run, open };

/// Judges cases all together.
using TryAll = std::function<std::vector<Tried>(std::span<const Case>)>;

/// Shrinks in few rounds where a round of many cases costs about what one case does: it asks for all smaller
/// cases, then for what several of those that fail have in common, with the smaller cases of that, and so on.
/// The result depends on the answers alone, not on how many come at once.
Shrunk shrink_in_rounds(const Domain&, const Case& failing, const TryAll&, const Over&);

/// The case that each of `smaller` makes smaller in its own way, made smaller in all these ways: a field that
/// several change is changed as the first says, and inputs shrink by what they shrink by together.
Case merged(const Case& from, std::span<const Case> smaller);

}  // namespace wgradcheck::check
