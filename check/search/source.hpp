#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "check/judge/court.hpp"
#include "check/search/domain.hpp"

namespace wgradcheck::check {

/// Where the trials of a search come from instead of its generator, told what became of them.
class Source {
 public:
  virtual ~Source() = default;
  /// The next trials, at least one and about so many, of a domain that may have changed.
  virtual std::vector<Trial> next(const Domain&, const Promises&, int exact_bits, std::int64_t count) = 0;
  /// Told of each batch that runs, also of others than the last that it gave.
  virtual void learn(std::span<const Trial>, std::span<const Ruling>) = 0;
};

}  // namespace wgradcheck::check
