#pragma once
#include <utility>
#include <vector>

#include "check/judge/court.hpp"
#include "check/search/generate.hpp"
#include "check/search/shard.hpp"
#include "check/search/shrink.hpp"

namespace wgradcheck::check {

/// Whether a ruling shows a counterexample to the property.
bool shows(const Ruling&, Property);

/// Whether a run of the trial shows one.
bool fails(Court&, const Trial&, Property);

/// A trial of each case, filled alike.
std::vector<Trial> trials_of(std::span<const Case>, const Fill&);

/// What the data of case number k are: most exact, every eighth each with Inf and NaN, subnormals, sums that
/// round, and where a height is promised sums that tell it, as far as the promises let a kernel be held to
/// them.
Fill nth_fill(std::int64_t k, int exact_bits, const Promises&, DType);

/// Trials of these numbers, half-open, and besides, for a kernel that refuses such, one in five made invalid.
std::vector<Trial> nth_trials(const rc::Gen<Case>&, std::uint64_t seed,
                              std::pair<std::int64_t, std::int64_t> numbers, int exact_bits, const Promises&);

/// Those of earlier trials that a search in the domain may make of a kernel that promises so, made fit for
/// it.
std::vector<Trial> asked_again(const Domain&, const Promises&, std::vector<Trial>);

/// Some of the largest trials, 40 of them or `most`, which reach more of a kernel's own arrays; of those the
/// shard's.
std::vector<Trial> large_trials(const rc::Gen<Case>&, std::uint64_t seed, std::int64_t most, int exact_bits,
                                const Shard&);

/// The same call with other numbers.
Trial with_other_data(Trial);

/// The trial of shape number k of a list, its seed k too.
Trial listed_trial(const Domain&, const spec::Shape&, std::uint32_t core_mask, std::int64_t k);

/// Shrinks a trial that shows one, its fill unchanged.
Shrunk shrink(Court&, const Domain&, const Trial&, Property, const Over&);

}  // namespace wgradcheck::check
