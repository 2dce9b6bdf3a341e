#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "check/judge/court.hpp"
#include "check/program/call_options.hpp"
#include "check/search/domain.hpp"

namespace wgradcheck::check {

/// The words of a command that give the cases of --shape in full, as replay commands do.
struct GivenCase {
  std::string bias, placement;
  std::vector<std::string> params;
  int magnitude = 0, exact_bits = Fill().exact_bits, masked = 0;
  bool non_finite = false, subnormal = false, rounds = false;

  void add_to(CLI::App& command);
  /// The trials that they give, whose data follow from the seed alone; none where no case is given in full.
  /// Throws BadInput: a word that means nothing to the convention or no --shape, a shape outside the domain.
  std::vector<Trial> trials(const Domain&, const std::vector<spec::Shape>&, std::uint64_t seed,
                            const CallOptions&) const;
};

}  // namespace wgradcheck::check
