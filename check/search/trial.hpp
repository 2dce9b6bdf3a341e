#pragma once
#include <chrono>

#include "check/judge/court.hpp"
#include "check/search/shrink.hpp"

namespace wgradcheck::check {

/// Whether a ruling shows a counterexample to the property.
bool shows(const Ruling&, Property);

/// Whether a run of the trial shows one.
bool fails(Court&, const Trial&, Property);

/// Shrinks a trial that shows one, its fill unchanged.
Shrunk shrink(Court&, const Domain&, const Trial&, Property, std::chrono::seconds limit);

}  // namespace wgradcheck::check
