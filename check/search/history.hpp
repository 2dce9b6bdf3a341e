#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "check/search/learn.hpp"

namespace wgradcheck::check {

/// Whether a trial is a valid call with exact data and nothing else to it.
bool is_plain(const Trial&);

/// The order in which the failures of trials are followed up. Where calls cost much: exact data first, which
/// may explain the others, and of these the smallest case, which is nearest to a minimal one.
std::vector<std::size_t> order_of(std::span<const Trial>, bool cheap);

/// The calls that a search made anyway, to learn from where further ones cost much.
class History {
 public:
  void add(const Trial&, const Ruling&);
  /// At most so many cases, none with many products; nothing where there are too few to tell slips apart.
  std::vector<Case> cases(std::int64_t most) const;
  /// Those without many products, then these.
  std::vector<Case> followed_by(std::span<const Case>) const;
  /// As fails_where says it.
  std::string condition() const { return condition_of(examples_); }

 private:
  std::vector<Example> examples_;
};

}  // namespace wgradcheck::check
