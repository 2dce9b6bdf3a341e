#pragma once
#include <cstdint>
#include <optional>

#include "check/case.hpp"

namespace wgradcheck::check {

/// Whether the case hands over parameters that the documents' rules refuse.
bool is_invalid(const Case&);

/// The case with one int of its parameter replaced so that the rules refuse it; k chooses which and by what.
/// Nothing where that choice leaves a valid call.
std::optional<Case> made_invalid(Case, std::int64_t k);

/// How many choices made_invalid knows.
std::int64_t invalid_choices();

}  // namespace wgradcheck::check
